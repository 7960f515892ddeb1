import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type ChosenSamples, SAMPLES } from '../../../../src-main/learning/runs/kept-samples.ts';
import { DamagedPiece, RunFiles } from '../../../../src-main/learning/runs/run-files.ts';
import type { TrainingSample } from '../../../../src-main/learning/training/trainer.ts';
import { longestTurn } from '../../../support/longest-turn.ts';

let folder: string;
let files: RunFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-samples-'));
  files = new RunFiles(folder);
  return () => rm(folder, { recursive: true });
});

function sample(seed: number, { tokens, top }: { tokens: number; top: number }): TrainingSample {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => (seed * 7_919 + at * 104_729) % 49_152);
  const likely = (count: number) => numbers(count).map((number) => -number / 4_096);
  const teacher = Array.from({ length: tokens }, () => ({ tokens: numbers(top), logprobs: likely(top) }));
  return { prompt: numbers(20), response: numbers(tokens), teacher };
}

const chosen = (samples: number, anchors: number, size: { tokens: number; top: number }): ChosenSamples => ({
  ...{ objective: 'sdpo', tried: 9, complied: 7, tooLong: 1 },
  samples: Array.from({ length: samples }, (_, seed) => sample(seed, size)),
  anchors: Array.from({ length: anchors }, (_, seed) => sample(1_000 + seed, size)),
});

it('gives back what a run learns from as it was, samples and anchors apart', async () => {
  const kept = chosen(2, 1, { tokens: 3, top: 4 });
  const [first] = kept.samples;
  if (first) Object.assign(first, { old: [-0.1, -1e-9, -12], base: [-3, -2, -1 / 3] });
  await files.write(SAMPLES, kept);
  expect(await files.read(SAMPLES)).toEqual(kept);
  const none = chosen(0, 0, { tokens: 1, top: 1 });
  await files.write(SAMPLES, none);
  expect(await files.read(SAMPLES)).toEqual(none);
});

it('knows what was damaged', async () => {
  await files.write(SAMPLES, chosen(2, 1, { tokens: 3, top: 4 }));
  const path = join(folder, SAMPLES.file);
  const whole = await readFile(path);
  for (const bytes of [whole.subarray(0, 2), whole.subarray(0, -1), Buffer.concat([whole, whole]), Buffer.alloc(0)]) {
    await writeFile(path, bytes);
    await expect(files.read(SAMPLES)).rejects.toThrow(DamagedPiece);
  }
});

it('leaves others their turns, however much there is', async () => {
  const kept = chosen(8, 32, { tokens: 200, top: 100 });
  const end = longestTurn();
  await files.write(SAMPLES, kept);
  await files.read(SAMPLES);
  const { longest, all } = end();
  expect(longest).toBeLessThan(all / 3);
});
