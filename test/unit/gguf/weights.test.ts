import { copyFile, readFile, truncate } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readModelHeader } from '../../../src-main/gguf/model-file.ts';
import { Weights } from '../../../src-main/gguf/weights/weights.ts';
import { temporaryFolder } from '../../support/quarry-process.ts';

const FOLDER = resolve(import.meta.dirname, '../../fixtures/learning');
const QUANTISED = join(FOLDER, 'quantised.gguf');

async function opened(path: string): Promise<Weights> {
  const weights = await Weights.open(path, await readModelHeader(path));
  onTestFinished(() => weights.close());
  return weights;
}

/** What the Python package `gguf` reads from {@link QUANTISED}: scripts/learning-fixtures/quantised.py. */
async function expected(): Promise<{ name: string; width: number; values: Float32Array }[]> {
  const bytes = await readFile(join(FOLDER, 'quantised.f32'));
  const all = new Float32Array(new Uint8Array(bytes).buffer);
  let from = 0;
  return (await readModelHeader(QUANTISED)).tensors.map(({ name, dimensions }) => {
    const [width = 0, height = 0] = dimensions;
    const values = all.subarray(from, from + width * height);
    from += width * height;
    return { name, width, values };
  });
}

describe('weights', () => {
  it('of every type are the very numbers that llama.cpp’s own package reads', async () => {
    const weights = await opened(QUANTISED);
    const tensors = await expected();
    expect(tensors.map(({ name }) => name)).toEqual('F32 F16 BF16 Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q4_K Q5_K Q6_K'.split(' '));
    for (const { name, values } of tensors) expect(await weights.read(name), name).toEqual(values);
  });

  it('come by rows, too, in any order', async () => {
    const weights = await opened(QUANTISED);
    for (const { name, width, values } of await expected()) {
      const rows = [2, 0, 2].map((row) => [...values.subarray(row * width, (row + 1) * width)]);
      expect([...(await weights.rows(name, [2, 0, 2]))], name).toEqual(rows.flat());
    }
    await expect(weights.rows('F32', [3])).rejects.toThrow(RangeError);
  });

  it('that are not there, or whose type nobody reads, are named', async () => {
    const weights = await opened(QUANTISED);
    await expect(weights.read('Q9')).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/no tensor named «Q9»/),
    });
    const header = await readModelHeader(QUANTISED);
    const foreign = { ...header, tensors: header.tensors.map((tensor) => ({ ...tensor, type: 'IQ2_XXS' })) };
    const unread = await Weights.open(QUANTISED, foreign);
    onTestFinished(() => unread.close());
    await expect(unread.read('Q4_K')).rejects.toMatchObject({
      message: expect.stringMatching(/«Q4_K» has the type IQ2_XXS/),
    });
  });

  it('of a file that becomes shorter meanwhile are refused', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, 'model.gguf');
    await copyFile(QUANTISED, path);
    const weights = await opened(path);
    await truncate(path, 2_000);
    await expect(weights.read('Q6_K')).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/shorter/),
    });
  });
});
