import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY_QWEN3, writeRandomModel } from '../../../src-main/bench/made-models/random-model.ts';
import { checkGguf, readModelHeader } from '../../../src-main/gguf/model-file.ts';
import { TINY_MODEL } from '../../support/engine.ts';
import { arrayEntry, ggufBytes, numberEntry, textEntry } from '../../support/gguf-bytes.ts';

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

  it('tells a missing file from a bad one', async () => {
    await expect(checkGguf(join(folder, 'nothing.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await expect(checkGguf(folder)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await expect(readModelHeader(folder)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a short file', Buffer.from('GGUF')],
    ['another kind of file', Buffer.from('PK\u0003\u0004 and a lot of other bytes')],
    ['an unknown version', ggufBytes({ version: 9 })],
    ['more tensors than any model has', ggufBytes({ tensorCount: 2n ** 60n })],
    ['more keys than any model has', ggufBytes({ keyCount: 2n ** 60n })],
  ])('refuses %s', async (_what, content) => {
    const path = join(folder, 'bad.gguf');
    await writeFile(path, content);
    await expect(checkGguf(path)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    await expect(readModelHeader(path)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });

  it('reads the header of a piece of a model, which is no model', async () => {
    const path = join(folder, 'piece.gguf');
    await writeFile(
      path,
      ggufBytes({ keys: [textEntry('general.architecture', 'llama'), numberEntry('split.count', 2)] }),
    );
    expect((await readModelHeader(path)).metadata.get('split.count')).toBe(2);
    await expect(checkGguf(path)).rejects.toMatchObject({ message: expect.stringContaining('one of 2 pieces') });
  });

  it('keeps nothing of a list of four million numbers but how many there are', async () => {
    const path = join(folder, 'hostile.gguf');
    const list = arrayEntry('k', 0, 4_000_000, Buffer.alloc(4_000_000));
    await writeFile(path, ggufBytes({ keys: [list] }));
    expect((await readModelHeader(path)).metadata.get('k')).toEqual({ skipped: 'array', length: 4_000_000 });
  });
});
