import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY_QWEN3, writeRandomModel } from '../../../src-main/bench/made-models/random-model.ts';
import { checkGguf } from '../../../src-main/gguf/check-gguf.ts';
import { TINY_MODEL } from '../../support/engine.ts';
import { ggufBytes } from '../../support/gguf-bytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-gguf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('checking a model file', () => {
  it('tells of the built-in model what it is', async () => {
    const { facts, header } = await checkGguf(TINY_MODEL);
    expect(facts).toMatchObject({ architecture: 'qwen3', quantisation: 'Q8_0', chatTemplate: true });
    const last = header.tensors.at(-1);
    expect(header.bytes - header.dataOffset - (last?.offset ?? 0) - (last?.bytes ?? 0)).toBeLessThan(32);
  });

  it('finds in a written model the shape that was written', async () => {
    const path = join(folder, 'random.gguf');
    await writeRandomModel(path, TINY_QWEN3, 1);
    const { layers, embedding, heads, kvHeads, vocabulary, contextLength } = (await checkGguf(path)).facts;
    const { layers: wanted } = TINY_QWEN3;
    expect({ layers, embedding, heads, kvHeads, vocabulary, contextLength }).toEqual({
      ...{ layers: wanted, embedding: 128, heads: 4, kvHeads: 2, vocabulary: 1024, contextLength: 4096 },
    });
  });

  it('refuses a model of which the end is missing, and says so', async () => {
    const path = join(folder, 'cut.gguf');
    const whole = await readFile(TINY_MODEL);
    await writeFile(path, whole.subarray(0, whole.length / 2));
    await expect(checkGguf(path)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/cut\.gguf cannot be loaded: .*not complete/),
      hint: expect.any(String),
    });
  });

  it('refuses a file that is no model of text', async () => {
    const path = join(folder, 'empty.gguf');
    await writeFile(path, ggufBytes({}));
    await expect(checkGguf(path)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });

  it('says when there is no file', async () => {
    await expect(checkGguf(join(folder, 'nothing.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });
});
