/** @module-tag long */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchMemory, type MemoryCase } from '../../src-main/bench/memory.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { type HollowShape, writeHollowModel } from '../support/hollow-model.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';

const real = await findRealModel(SMOLLM2);

const CASES: MemoryCase[] = [
  { contextSize: 2_048, parallel: 1, kvCache: 'f16' },
  { contextSize: 8_192, parallel: 2, kvCache: 'f16' },
  { contextSize: 8_192, parallel: 2, kvCache: 'q8_0' },
  { contextSize: 8_192, parallel: 4, kvCache: 'q4_0' },
];

const shape = { architecture: 'llama', name: 'hollow', headSize: 64, contextLength: 65_536, type: 'Q8_0' } as const;
const HOLLOW: Record<string, HollowShape> = {
  'deep and narrow': {
    ...shape,
    ...{ layers: 64, embedding: 320, heads: 5, kvHeads: 5, feedForward: 960, vocabulary: 8192 },
  },
  'of a large vocabulary': {
    ...shape,
    ...{ layers: 4, embedding: 512, heads: 8, kvHeads: 8, feedForward: 1024, vocabulary: 151_936 },
  },
  wide: { ...shape, ...{ layers: 3, embedding: 2048, heads: 32, kvHeads: 8, feedForward: 8192, vocabulary: 8192 } },
};

async function ratioOf(model: string, ...cases: MemoryCase[]): Promise<number | null | undefined> {
  for await (const event of benchMemory({ model, cases })) if (event.type === 'row') return event.row.ratio;
  return undefined;
}

describe.skipIf(!existsSync('/proc/self/status'))('the memory that the engine’s process takes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-memory-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const isWithin15Percent = (ratio: number | null | undefined) => {
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.15);
  };

  it.each(Object.entries(HOLLOW))('is estimated to within 15 percent for a model %s', async (name, hollow) => {
    const path = join(folder, `${name}.gguf`);
    await writeHollowModel(path, hollow);
    isWithin15Percent(await ratioOf(path, { contextSize: 1_024, parallel: 2, kvCache: 'f16' }));
  });

  it('is estimated to within 15 percent for the built-in model', async () => {
    isWithin15Percent(await ratioOf(TINY_MODEL, { contextSize: 4_096, parallel: 4, kvCache: 'f16' }));
  });

  it.skipIf(!real).each(CASES)('is so for real weights with $contextSize × $parallel, $kvCache', async (loaded) => {
    isWithin15Percent(await ratioOf(real ?? '', loaded));
  });
});
