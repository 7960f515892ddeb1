import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGguf } from '../../src-main/gguf/model-file.ts';
import { hasAmx } from '../../src-main/hardware/readings.ts';
import { calibrate } from '../../src-main/models/fit/calibrate.ts';
import { ggufProfile } from '../../src-main/models/fit/gguf-profile.ts';
import { type MemoryParts, memoryNeed } from '../../src-main/models/fit/memory.ts';
import type { BufferRequest, Buffers } from '../fixtures/llama-buffers.ts';
import { tinyEngine } from '../support/engine.ts';
import { type HollowShape, writeHollowModel } from '../support/hollow-model.ts';
import { writeSlidingWindowModel } from '../support/small-models.ts';

const base = { architecture: 'llama', name: 'hollow', headSize: 64, contextLength: 65_536, type: 'Q8_0' } as const;

const SHAPES: Record<string, HollowShape> = {
  'like SmolLM': {
    ...base,
    ...{ layers: 30, embedding: 576, heads: 9, kvHeads: 3, feedForward: 1536, vocabulary: 49_152 },
  },
  'qwen3 with few heads of keys': {
    ...base,
    ...{ architecture: 'qwen3', layers: 16, embedding: 768, heads: 12, kvHeads: 2, headSize: 128 },
    ...{ feedForward: 2304, vocabulary: 32_768 },
  },
  'of a large vocabulary': {
    ...base,
    ...{ layers: 4, embedding: 512, heads: 8, kvHeads: 8, feedForward: 1024, vocabulary: 151_936 },
  },
  'deep and narrow': {
    ...base,
    ...{ layers: 64, embedding: 320, heads: 5, kvHeads: 5, feedForward: 960, vocabulary: 8192 },
  },
  wide: {
    ...base,
    ...{ layers: 3, embedding: 2048, heads: 32, kvHeads: 8, feedForward: 8192, vocabulary: 8192 },
  },
};

/** How each is loaded. */
const CONTEXTS: Record<string, { contextSize: number; parallel: number }> = {
  'like SmolLM': { contextSize: 2048, parallel: 4 },
  'qwen3 with few heads of keys': { contextSize: 8192, parallel: 1 },
  'of a large vocabulary': { contextSize: 4096, parallel: 2 },
  'deep and narrow': { contextSize: 600, parallel: 3 },
  wide: { contextSize: 16_384, parallel: 1 },
  'with a sliding window': { contextSize: 4096, parallel: 2 },
};

let folder: string;
const pathOf = (name: string) => join(folder, `${name.replaceAll(' ', '-')}.gguf`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-fit-'));
  for (const [name, shape] of Object.entries(SHAPES)) await writeHollowModel(pathOf(name), shape);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function estimate({ path, contextSize, parallel }: BufferRequest): Promise<MemoryParts> {
  const plan = { contextSize, parallel, gpuLayers: 0, packsWeights: await hasAmx() };
  const profile = ggufProfile(await checkGguf(path));
  const { ram } = memoryNeed(profile, plan);
  // What is reserved is taken on a graphics card only.
  const { compute } = memoryNeed(profile, { ...plan, gpuLayers: profile.layerBytes.length + 1 }).vram;
  return { ...ram, compute };
}

describe('the memory that llama.cpp reserves', () => {
  const names = Object.keys(CONTEXTS);
  const requests = new Map<string, BufferRequest>();
  const reserved = new Map<string, Buffers>();

  /** By its own report, in a child process. */
  beforeAll(async () => {
    await writeSlidingWindowModel(pathOf('with a sliding window'), 512);
    for (const [name, context] of Object.entries(CONTEXTS)) requests.set(name, { path: pathOf(name), ...context });
    const script = fileURLToPath(new URL('../fixtures/llama-buffers.ts', import.meta.url));
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const argument = JSON.stringify([...requests.values()]);
    const { stdout } = await promisify(execFile)(process.execPath, [script, argument], { env });
    const found: Buffers[] = JSON.parse(stdout);
    for (const [index, buffers] of found.entries()) reserved.set(names[index] ?? '', buffers);
  });

  const compared = async (name: string) => {
    const request = requests.get(name) ?? expect.fail(`${name} has no context`);
    return { buffers: reserved.get(name) ?? expect.fail(`${name} was not measured`), ram: await estimate(request) };
  };

  it.each(Object.keys(SHAPES))('is estimated to within 15 percent for a model %s', async (name) => {
    const { buffers, ram } = await compared(name);
    expect(ram.weights / buffers.weights).toBeCloseTo(1, 2);
    expect(ram.cache / buffers.cache).toBeCloseTo(1, 2);
    const compute = ram.compute / (buffers.compute + buffers.output);
    expect(compute).toBeGreaterThan(0.85);
    expect(compute).toBeLessThan(1.15);
  });

  it('is less for layers that look back over a window only', async () => {
    const { buffers, ram } = await compared('with a sliding window');
    expect(ram.cache / buffers.cache).toBeCloseTo(1, 2);
  });
});

describe('calibration', () => {
  it('measures the real engine and gives a bandwidth', async () => {
    const engine = tinyEngine();
    await engine.open();
    try {
      const speed = await calibrate(engine);
      expect(speed?.decode).toBeGreaterThan(1);
      expect(speed?.prefill).toBeGreaterThan(1);
      expect(engine.status()).toMatchObject({ active: 0, waiting: 0 });
    } finally {
      await engine.close();
    }
  });
});
