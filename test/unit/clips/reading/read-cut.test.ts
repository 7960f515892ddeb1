import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../../src-main/base/sha256.ts';
import { copied } from '../../../../src-main/clips/media/copy.ts';
import { evenly, framesAt } from '../../../../src-main/clips/media/frames.ts';
import { UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { samplesOf } from '../../../../src-main/clips/media/samples.ts';
import { READING } from '../../../../src-main/clips/models/clip-models.ts';
import { soundStretches } from '../../../../src-main/clips/models/vectors/sound-input.ts';
import { fetchLimits } from '../../../../src-main/clips/reading/fetch-limits.ts';
import { hearCut, readCut, readStretch, speechOfCut } from '../../../../src-main/clips/reading/read-cut.ts';
import { leadingBytes } from '../../../../src-main/clips/sources/leading-part.ts';
import { tinyModels } from '../../../support/tiny-clip-models.ts';

const { signal } = new AbortController();
const SECONDS = 21.5;

/** Tells what was asked of it. */
function watched({ cutFails }: { cutFails?: Error } = {}) {
  const asked: unknown[] = [];
  const media = {
    cut: async (from: string, span: object, to: string) => {
      await writeFile(to, '');
      if (cutFails) throw cutFails;
      asked.push(['cut', from, span]);
      return { seconds: SECONDS } as never;
    },
    probe: async () => ({ seconds: SECONDS }) as never,
    pictures: async (_: string, span: object, { signal: __, ...want }: { signal: AbortSignal }) => {
      asked.push(['pictures', span, want]);
      return [];
    },
    sound: async (_: string, span: object, { rate }: { rate: number }) => {
      asked.push(['sound', span, rate]);
      return { samples: Float32Array.of(0.5), rate };
    },
  };
  const models = {
    pictures: async () => Float32Array.of(1, 0),
    sound: async () => Float32Array.of(0, 1),
  };
  return { asked, tools: { media, models, signal } };
}

it('is what its name stands for: whoever changes what is read of a stretch gives it another name', async () => {
  const { asked, tools } = watched();
  await readCut('/cut', tools);
  const way = { asked, fetched: fetchLimits('commons') };
  const whole = { from: 0, to: SECONDS };
  const ways: Record<string, typeof way> = {
    reading1: {
      asked: [
        ['pictures', whole, { count: 8, side: 448 }],
        ['sound', whole, 48_000],
      ],
      fetched: { mostSeconds: 300, mostBytes: 300_000_000 },
    },
  };
  expect(way).toEqual(ways[READING]);
});

it('is also how ffmpeg is asked for it, how much of a file is fetched, and what of its sound is heard', () => {
  const span = { from: 12.5, to: 40 };
  const facts = {
    ...{ seconds: 60, keyFrames: [0, 10, 20], width: 320, height: 180, delay: 0.1, bytes: 1 },
    ...{ videoCodec: 'h264', audioCodec: 'aac' },
  };
  const way = [
    copied('/video', span, '/cut', facts, 1),
    framesAt('/cut', evenly({ from: 0, to: 30 }, 8), 448, '5.0'),
    samplesOf('/cut', { from: 0, to: 30 }, 48_000),
    [leadingBytes(1e9, 3_600, 300), leadingBytes(1e7, 310, 300), leadingBytes(1e7, null, 300)],
    soundStretches({ samples: new Float32Array(9_000), rate: 100 }, 10).map((part) => part.byteOffset),
  ];
  const ways: Record<string, string> = { reading1: '992dbf22a26e8b22' };
  // It is another one? Then vectors of before are none of now: `READING` says so, and both stand here.
  expect(sha256(JSON.stringify(way)).toString('hex').slice(0, 16)).toBe(ways[READING]);
});

it('is in the name of the space', async () => {
  const { VectorModels } = await import('../../../../src-main/clips/models/vector-models.ts');
  const models = await tinyModels();
  const [both, alone] = [new VectorModels(models), new VectorModels({ ...models, sounds: null })];
  expect([both.space, alone.space].map((space) => space.split('#')[1])).toEqual([READING, READING]);
  await Promise.all([both.close(), alone.close()]);
});

it('hears the same alone, and speech of the same stretch', async () => {
  const { asked, tools } = watched();
  expect(await hearCut('/cut', tools)).toEqual((await readCut('/cut', tools)).heard);
  await speechOfCut('/cut', tools);
  const whole = { from: 0, to: SECONDS };
  expect(asked).toEqual([
    ['sound', whole, 48_000],
    ['pictures', whole, { count: 8, side: 448 }],
    ['sound', whole, 48_000],
    ['sound', whole, 16_000],
  ]);
});

it.each([undefined, new UnusableMedia('tooLong')])(
  'leaves no file of a stretch behind, whatever comes of it',
  async (cutFails) => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-reading-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { tools } = watched(cutFails ? { cutFails } : {});
    const reading = readStretch(join(folder, 'video'), { from: 3, to: 20 }, tools);
    if (cutFails) await expect(reading).rejects.toBe(cutFails);
    else expect(await reading).toEqual({ seen: Float32Array.of(1, 0), heard: Float32Array.of(0, 1) });
    expect(await readdir(folder)).toEqual([]);
  },
);

it('more than others fetch is fetched of own folders alone', () => {
  expect(fetchLimits('archive', 10_000_000_000).mostBytes).toBe(300_000_000);
  expect(fetchLimits('archive', 20_000_000).mostBytes).toBe(20_000_000);
  expect(fetchLimits('folder', 10_000_000_000).mostBytes).toBe(10_000_000_000);
});
