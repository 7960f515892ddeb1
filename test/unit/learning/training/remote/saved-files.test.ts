import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readModelHeader } from '../../../../../src-main/gguf/model-file.ts';
import { baseShape } from '../../../../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../../../../src-main/learning/formats/gguf-adapter.ts';
import { writePeft } from '../../../../../src-main/learning/formats/peft-adapter.ts';
import { newState } from '../../../../../src-main/learning/training/adapter/adam-w.ts';
import { writeOptimizer } from '../../../../../src-main/learning/training/adapter/optimizer-file.ts';
import { checkSaved, mostFileBytes } from '../../../../../src-main/learning/training/remote/saved-files.ts';
import { TINY_MODEL } from '../../../../support/engine.ts';
import { madeAdapter, smallBase } from '../../../../support/made-adapter.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-saved-'));
  const base = baseShape(await readModelHeader(TINY_MODEL));
  const adapter = madeAdapter(base);
  await writeAdapterGguf(join(folder, 'adapter.gguf'), adapter, base);
  await writePeft(folder, adapter, 'tiny');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('of a file no more is taken than twice the model, and of small ones 128 MiB', async () => {
  expect(await mostFileBytes(TINY_MODEL)).toBe(128 * 2 ** 20);
  const large = join(folder, 'large.gguf');
  await writeFile(large, '');
  await truncate(large, 100 * 2 ** 20);
  expect(await mostFileBytes(large)).toBe(200 * 2 ** 20);
});

describe('an adapter that another node has saved', () => {
  it('is taken when both of its forms are of this model', async () => {
    await checkSaved(folder, TINY_MODEL);
  });

  it('is refused when either is damaged, or of another model', async () => {
    const gguf = join(folder, 'adapter.gguf');
    await truncate(gguf, 5_000);
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    await rm(gguf);
    const other = smallBase();
    await writeAdapterGguf(gguf, madeAdapter(other), other);
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it('is refused with an optimizer of which no training could go on: each that followed would fail', async () => {
    const optimizer = join(folder, 'optimizer.safetensors');
    const adapter = madeAdapter(baseShape(await readModelHeader(TINY_MODEL)));
    await writeOptimizer(optimizer, newState(adapter));
    await checkSaved(folder, TINY_MODEL);
    await truncate(optimizer, 5_000);
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
    await rm(optimizer);
    await writeOptimizer(optimizer, newState(madeAdapter(smallBase())));
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it('is refused where it would have this model compute what is no number', async () => {
    const base = baseShape(await readModelHeader(TINY_MODEL));
    await rm(join(folder, 'adapter.gguf'));
    await writeAdapterGguf(join(folder, 'adapter.gguf'), { ...madeAdapter(base), alpha: 1e30 }, base);
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });

  it('is refused when its tensors are none', async () => {
    await writeFile(join(folder, 'adapter_model.safetensors'), 'x'.repeat(1_000));
    await expect(checkSaved(folder, TINY_MODEL)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });
  });
});
