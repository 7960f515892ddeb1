import { mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../../src-main/base/seeded-random.ts';
import type { RawSound } from '../../../src-main/clips/media/media.ts';
import type { SpokenTurn, SpokenWords } from '../../../src-main/clips/models/clip-models.ts';
import { plainCaption } from './captions.ts';
import { lengthOf, writeFilm } from './film.ts';
import { type PlannedClip, planWorld } from './plan.ts';
import { makeNoise } from './sounds.ts';
import { espeak, speak, type Voice } from './speech.ts';

/** A clip as it lies in the folder, with what is true of it. */
export interface FakeClip extends Omit<PlannedClip, 'shots'> {
  /** In the folder. */
  file: string;
  /** Of what was to be seen; of a truncated one less is there. */
  seconds: number;
  /** Where another scene begins, seconds. */
  cuts: number[];
  /** Who speaks when, and what is said; empty where nobody does. */
  turns: SpokenTurn[];
  words: SpokenWords[];
}

export interface FakeWorld {
  folder: string;
  clips: FakeClip[];
}

const RATE = 16_000;

/** Makes so many clips in a folder, with `manifest.json`, one by one. The same for the same seed and programs; without espeak-ng nobody speaks. */
export async function makeFakeWorld(folder: string, count: number, seed = 1): Promise<FakeWorld> {
  await mkdir(folder, { recursive: true });
  const clips: FakeClip[] = [];
  for (const planned of planWorld(count, seed)) clips.push(await makeClip(folder, planned, seed));
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ seed, clips }, null, 1)}\n`);
  return { folder, clips };
}

async function makeClip(folder: string, planned: PlannedClip, seed: number): Promise<FakeClip> {
  const { shots, ...clip } = planned;
  const seconds = lengthOf(planned);
  const file = `${clip.name}.${clip.format}`;
  const { sound, turns, words } = await soundOf(planned, seconds, seed);
  await writeFilm(join(folder, file), { ...planned, sound });
  if (clip.planted === 'truncated')
    await truncate(join(folder, file), Math.floor((await stat(join(folder, file))).size / 2));
  const cuts = shots.slice(0, -1).map((_, index) => lengthOf({ shots: shots.slice(0, index + 1) }));
  return { ...clip, file, seconds, cuts, turns, words };
}

type Heard = { sound: RawSound | null } & Pick<FakeClip, 'turns' | 'words'>;

/** A copy sounds as its original does. */
async function soundOf(planned: PlannedClip, seconds: number, seed: number): Promise<Heard> {
  const random = seededRandom(seed + 1_000 + numberOf(planned.copyOf ?? planned.name));
  const length = { seconds, rate: RATE };
  const { sound, shots } = planned;
  if (sound === null) return { sound: null, turns: [], words: [] };
  if (sound !== 'speech' && sound !== 'conversation')
    return { sound: makeNoise(sound, length, random), turns: [], words: [] };
  if (!espeak()) return { sound: makeNoise('noise', length, random), turns: [], words: [] };
  const voices: Voice[] = random.uniform() < 0.5 ? ['anna', 'ben'] : ['ben', 'anna'];
  const said =
    sound === 'conversation' ? [] : [`Here you see ${plainCaption((shots[0] as PlannedClip['shots'][0]).scene)}.`];
  return speak(length, sound === 'conversation' ? voices : voices.slice(0, 1), random, said);
}

const numberOf = (name: string) => Number(name.slice(-3));
