import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeMadeAdapter } from '../../../../src-main/bench/made-models/adapter.ts';
import type { GgufHeader } from '../../../../src-main/gguf/header.ts';
import { readModelHeader } from '../../../../src-main/gguf/model-file.ts';
import { Adapters } from '../../../../src-main/inference/child/adapters.ts';
import type { AdapterWeights, Addon } from '../../../../src-main/inference/child/loop/addon.ts';
import { TINY_MODEL } from '../../../support/engine.ts';

/** Keeps what it loads, as llama.cpp does, and computes nothing. */
class MemoryAddon {
  readonly inMemory = new Set<AdapterWeights>();
  loads = 0;
  failure: Error | undefined;

  async loadAdapter(filePath: string): Promise<AdapterWeights> {
    if (this.failure) throw this.failure;
    this.loads++;
    const weights = { filePath, dispose: async () => undefined };
    this.inMemory.add(weights);
    return weights;
  }

  async freeAdapter(weights: AdapterWeights): Promise<void> {
    expect(this.inMemory.delete(weights)).toBe(true);
  }
}

let folder: string;
let model: GgufHeader;
let addon: MemoryAddon;
let adapters: Adapters;
const at = (name: string) => join(folder, `${name}.gguf`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-adapters-'));
  model = await readModelHeader(TINY_MODEL);
  for (let seed = 0; seed < 12; seed++) await writeMadeAdapter(at(`v${seed}`), model, { seed, parts: ['attn_q'] });
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  addon = new MemoryAddon();
  adapters = new Adapters(addon as unknown as Addon, model);
});

describe('Adapters', () => {
  it('are loaded once, for however many requests', async () => {
    const [first, second] = [await adapters.use(at('v0')), await adapters.use(at('v0'))];
    expect(second.weights).toBe(first.weights);
    first.release();
    second.release();
    expect((await adapters.use(at('v0'))).weights).toBe(first.weights);
    expect(addon.loads).toBe(1);
  });

  it('are others where the file was replaced', async () => {
    await writeMadeAdapter(at('next'), model, { seed: 100 });
    await writeMadeAdapter(at('changing'), model, { seed: 101 });
    const before = await adapters.use(at('changing'));
    await rename(at('next'), at('changing'));
    expect((await adapters.use(at('changing'))).weights).not.toBe(before.weights);
  });

  it('of which nobody makes use are freed but for the last few', async () => {
    for (let seed = 0; seed < 12; seed++) (await adapters.use(at(`v${seed}`))).release();
    expect([...addon.inMemory].map(({ filePath }) => filePath)).toEqual(['v8', 'v9', 'v10', 'v11'].map(at));
  });

  it('of which nobody makes use take no more memory than they may, with the one that comes', async () => {
    const { size } = await stat(at('v0'));
    const few = new Adapters(addon as unknown as Addon, model, 2.5 * size);
    const held = await few.use(at('v9'));
    for (let seed = 0; seed < 5; seed++) (await few.use(at(`v${seed}`))).release();
    expect([...addon.inMemory].map(({ filePath }) => filePath)).toEqual(['v9', 'v3', 'v4'].map(at));
    const none = new Adapters(addon as unknown as Addon, model, 0);
    await expect(none.use(at('v5'))).resolves.toBeDefined();
    expect(addon.inMemory).toContain(held.weights);
  });

  it('are kept by their last use', async () => {
    for (const seed of [0, 1, 2, 3, 0, 4]) (await adapters.use(at(`v${seed}`))).release();
    expect([...addon.inMemory].map(({ filePath }) => filePath)).toEqual(['v0', 'v2', 'v3', 'v4'].map(at));
  });

  it('are never freed while somebody uses them', async () => {
    const held = await adapters.use(at('v0'));
    for (let seed = 1; seed < 12; seed++) (await adapters.use(at(`v${seed}`))).release();
    expect(addon.inMemory).toContain(held.weights);
    expect(addon.inMemory.size).toBe(5);
  });

  it.each([
    ['there is none', async () => undefined, 'ENOENT'],
    ['it is a folder', async () => undefined, 'GGUF file', ''],
    ['it is no GGUF file', (path: string) => writeFile(path, 'nothing'), 'GGUF file'],
    ['it is a model', async () => undefined, 'no adapter', TINY_MODEL],
  ])('are refused where %s', async (_, make, why, path = at('wrong')) => {
    await make(path);
    const using = adapters.use(path || folder);
    await expect(using).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'model',
      message: expect.stringContaining(why),
      hint: expect.any(String),
    });
    await expect(using).rejects.not.toMatchObject({ message: expect.stringContaining(folder) });
    expect(addon.loads).toBe(0);
  });

  it('are refused where llama.cpp refuses them, and tried again', async () => {
    addon.failure = new Error('no room');
    await expect(adapters.use(at('v0'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('no room'),
    });
    addon.failure = undefined;
    await expect(adapters.use(at('v0'))).resolves.toBeDefined();
  });
});
