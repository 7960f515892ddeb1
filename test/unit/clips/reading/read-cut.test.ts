import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { UnusableMedia } from '../../../../src-main/clips/media/media.ts';
import { READING } from '../../../../src-main/clips/models/clip-models.ts';
import { fetchLimits } from '../../../../src-main/clips/reading/fetch-limits.ts';
import { hearCut, readCut, readStretch, speechOfCut } from '../../../../src-main/clips/reading/read-cut.ts';
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

it('is in the name of the space', async () => {
  const { ClipVectors } = await import('../../../../src-main/clips/models/clip-vectors.ts');
  const models = await tinyModels();
  const [both, alone] = [new ClipVectors(models), new ClipVectors({ ...models, sounds: null })];
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
