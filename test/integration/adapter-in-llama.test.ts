import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { readAdapterGguf, writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { merged, peftModel, writePeftModel } from '../support/peft-model.ts';

const LLAMA = resolve(import.meta.dirname, '../fixtures/llama-adapter.ts');
const TOKENS = [104, 101, 108, 111, 32, 119, 111, 114, 108, 100];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-adapter-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** For each token, the log-probabilities of what may follow. */
async function logprobs(model: string, adapter?: string): Promise<number[][]> {
  const args = [LLAMA, model, JSON.stringify(TOKENS), ...(adapter ? [adapter] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** The largest difference anywhere. */
function apart(one: number[][], other: number[][]): number {
  expect(one.length).toBe(other.length);
  return Math.max(
    ...one.flatMap((row, at) => row.map((value, token) => Math.abs(value - (other[at]?.[token] ?? Number.NaN)))),
  );
}

describe('an adapter that llama.cpp loads', () => {
  it.each(['llama', 'qwen3'] as const)(
    'changes a model of %s as if it were put into its weights',
    async (architecture) => {
      const path = (name: string) => join(folder, `${architecture}-${name}.gguf`);
      const model = peftModel(architecture, 5);
      await writePeftModel(path('model'), model);
      const base = baseShape(await readModelHeader(path('model')));
      const adapter = madeAdapter(base, { rank: 4, alpha: 8, seed: 9, size: 0.15 });
      await writePeftModel(path('merged'), merged(model, adapter));
      await writeAdapterGguf(path('adapter'), adapter, base);
      const without = await logprobs(path('model'));
      const withIt = await logprobs(path('model'), path('adapter'));
      const wanted = await logprobs(path('merged'));
      expect(apart(without, wanted)).toBeGreaterThan(1);
      expect(apart(withIt, wanted)).toBeLessThan(2e-3);
      expect((await readAdapterGguf(path('adapter'), base)).matrices).toEqual(adapter.matrices);
    },
  );
});
