import { seededRandom } from '../../../src-main/base/seeded-random.ts';
import { sha256 } from '../../../src-main/base/sha256.ts';
import { keptTurns } from '../../../src-main/clips/models/spoken-turns.ts';
import type { VectorModels } from '../../../src-main/clips/models/vector-models.ts';
import type { ClipStore, NewClip } from '../../../src-main/store/clips/clips.ts';
import { plainCaption } from '../fake-world/captions.ts';
import { paintScene } from '../fake-world/paint.ts';
import { randomScene } from '../fake-world/scene.ts';
import { makeNoise, NOISES } from '../fake-world/sounds.ts';
import { TURNS } from '../judged-clips.ts';

const NEVER = new AbortController().signal;
const SIZE = { width: 96, height: 96 };
const RATE = 48_000;

/**
 * Clips of the fake world in a node’s store, as its miner would have made them: numbers by real models, of painted pictures and made sounds. Each is a minute of
 * speech by two people, too.
 */
export async function fillLibrary(clips: ClipStore, models: VectorModels, count: number): Promise<void> {
  const random = seededRandom(9);
  for (let at = 0; at < count; at++) {
    const scene = randomScene(random);
    const sound = makeNoise(NOISES[at % 4] ?? 'noise', { seconds: 10, rate: RATE }, random);
    const description = plainCaption(scene);
    const pictures = [0, 1, 2].map((seconds) => paintScene(scene, seconds, SIZE));
    const [said] = await models.texts([description], NEVER);
    const heard = await models.sound(sound, NEVER);
    if (!said || !heard) throw new Error('The tiny models are not there.');
    const vectors = { seen: await models.pictures(pictures, NEVER), heard, 'described-seen': said.seen };
    await clips.add(clipOf(at, description, models.space), { vectors, job: 0, nextSpan: 0, place: async () => {} });
  }
}

/** Of a video that a source of the small world does not give away just now. */
function clipOf(at: number, description: string, space: string): NewClip {
  const video = `blocked ${at}`;
  return {
    ...{ clip: sha256(video).toString('hex').slice(0, 32), source: 'commons', video, title: video, topic: 'shapes' },
    ...{ from_s: 10, to_s: 70, description, described_by: 'title', words: null, turns: keptTurns(TURNS), has_sound: 1 },
    ...{ licence: 'by', licence_url: null, author: null, attribution: video, page: null, url: null, bytes: 1 },
    ...{ poster_bytes: 1, sha256: '0'.repeat(64), ...SIZE, container: 'webm', space, score: null, is_taken_down: 0 },
    created_at: at,
  };
}
