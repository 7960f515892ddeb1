/** @module-tag long */

import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { FfmpegTool } from '../../src-main/clips/media/ffmpeg-tool.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { VectorModels } from '../../src-main/clips/models/vector-models.ts';
import { fileVectors } from '../../src-main/clips/reading/vectors-by-kind.ts';
import { ClipSubmissionStore } from '../../src-main/store/clips/clip-submissions.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import type { CheckingPorts } from '../../src-main/subnets/omega/clips/checking/checking-ports.ts';
import { judgeVideos } from '../../src-main/subnets/omega/clips/checking/judge-videos.ts';
import { ClipLook } from '../../src-main/subnets/omega/clips/checking/look-closely.ts';
import type { HandedClip } from '../../src-main/subnets/omega/clips/synapse/entries.ts';
import { plainCaption } from '../support/fake-world/captions.ts';
import { writeFilm } from '../support/fake-world/film.ts';
import { randomScene, type Scene } from '../support/fake-world/scene.ts';
import { makeNoise } from '../support/fake-world/sounds.ts';
import { videosText } from '../support/handed-in.ts';
import { listeners } from '../support/judged-clips.ts';
import { tinyModels } from '../support/tiny-clip-models.ts';

/* Real videos, ffmpeg and models: what an honest miner hands in is right to the bytes, and what is not is found. */

const programs = await findMediaTool();
const never = new AbortController().signal;
const size = { width: 320, height: 180 };
const SECONDS = 10;
/** Of the tiny models; what is asked here are lies, and these are far from either limit. */
const THRESHOLDS = { same: 0.99, novel: 0.001, unrelated: 0.05, closest: 0.5 };

describe.skipIf('lacks' in programs)('clips of real videos', () => {
  if ('lacks' in programs) return;
  const media = new FfmpegTool({ programs });
  const random = seededRandom(5);
  const scene = (given: Partial<Scene>) => randomScene(random, given);
  const owls = scene({ shape: 'circle', colour: 'red' });
  const boats = scene({ shape: 'bars', colour: 'blue' });
  let dir: string;
  let models: VectorModels;
  let ports: CheckingPorts;
  let close: () => Promise<void>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quarry-clip-judging-'));
    const sound = makeNoise('tone', { seconds: 2 * SECONDS, rate: 48_000 }, random);
    const shots = [owls, boats].map((each) => ({ scene: each, seconds: SECONDS }));
    await writeFilm(join(dir, 'one.webm'), { ...size, shots, sound, format: 'webm' });
    await writeFilm(join(dir, 'other.mp4'), { ...size, shots: shots.toReversed(), sound: null, format: 'mp4' });
    models = new VectorModels(await tinyModels());
    const db = await openDatabase(':memory:');
    close = async () => {
      await models.close();
      await db.destroy();
    };
    const source = {
      look: async (id: string) => ({
        ...{ source: 'commons' as const, id, title: id, description: '', licence: 'by' as const, licenceUrl: null },
        ...{ author: null, attribution: id, page: null, seconds: 2 * SECONDS, bytes: null },
      }),
      fetch: async (id: string, to: string) => {
        await copyFile(join(dir, id), to);
        return { bytes: 1, url: null };
      },
    };
    ports = {
      judge: {
        space: models.space,
        use: async () => ({ models, listeners, thresholds: THRESHOLDS }),
      },
      ...{ media, look: new ClipLook({ source: () => source, media, folder: join(dir, 'looked-at') }) },
      known: { distances: async (clips) => clips.map(() => 2), added: async () => {}, forgotten: async () => {} },
      submissions: new ClipSubmissionStore(db),
    };
  });
  afterAll(async () => {
    await close();
    await rm(dir, { recursive: true, force: true });
  });

  /** As the miner makes it: the stretch as a file of its own, and all of that. */
  async function mined(id: string, span: { from: number; to: number }, about: Scene): Promise<HandedClip> {
    const cut = join(dir, `${id}.${span.from}.cut`);
    await media.cut(join(dir, id), span, cut, { signal: never });
    const vectors = await fileVectors(cut, { media, models, signal: never });
    await rm(cut);
    const description = plainCaption(about);
    const [{ seen: described } = { seen: new Float32Array() }] = await models.texts([description], never);
    return {
      ...{
        source: 'commons',
        id,
        ...span,
        space: models.space,
        licence: 'by',
        attribution: id,
        page: null,
        description,
      },
      ...{ seen: vectors.seen, heard: vectors.heard ?? null, described },
    };
  }

  let number = 0;
  async function looked(clip: HandedClip) {
    const wanted = { of: 'videos', topic: plainCaption(owls), count: 8 } as const;
    const task = { wanted, key: `${number++}`.padStart(32, '0'), isDrawn: true, place: 0 };
    const { score, reason } = await judgeVideos(ports, task, videosText([clip]), { party: 'miner' });
    const why = (reason.params?.why as { key?: string } | undefined)?.key;
    return { score, key: reason.key, why };
  }

  const first = { from: 1, to: 9 };

  it('an honest one is right, with sound and without', async () => {
    for (const [id, about] of [
      ['one.webm', owls],
      ['other.mp4', boats],
    ] as const) {
      const { score, key } = await looked(await mined(id, first, about));
      expect({ id, key }).toEqual({ id, key: 'clipValidation.judged' });
      expect(score).toBeGreaterThan(0.005);
    }
    expect(await readdir(join(dir, 'looked-at'))).toEqual([]);
  });

  it.each<[string, () => Promise<HandedClip>, string]>([
    [
      'the vectors of another video',
      async () => ({
        ...(await mined('other.mp4', first, owls)),
        id: 'one.webm',
        heard: (await mined('one.webm', first, owls)).heard,
      }),
      'clipValidation.lie.seen',
    ],
    [
      'the vectors of another stretch',
      async () => ({ ...(await mined('one.webm', { from: 11, to: 19 }, owls)), ...first }),
      'clipValidation.lie.seen',
    ],
    [
      'a sound that is left out',
      async () => ({ ...(await mined('one.webm', first, owls)), heard: null }),
      'clipValidation.lie.hasSound',
    ],
    [
      'an end behind the end',
      async () => ({ ...(await mined('one.webm', first, owls)), from: 15, to: 25 }),
      'clipValidation.lie.end',
    ],
  ])(
    'a lie is found: %s',
    async (_, lie, why) => {
      expect(await looked(await lie())).toEqual({ score: -5, key: 'clipValidation.lie', why });
    },
    60_000,
  );
});
