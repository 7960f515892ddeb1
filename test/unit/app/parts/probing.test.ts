import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProbing } from '../../../../src-main/app/parts/probing.ts';
import type { EngineSlot } from '../../../../src-main/inference/host/engine-slot.ts';

const TINY = new URL('../../../../resources/tiny.gguf', import.meta.url);

it('reads the file of a model once, and that of the next one anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-probing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modelPath = join(folder, 'a.gguf');
  await copyFile(TINY, modelPath);
  const loaded = (name: string) => ({ engine: { modelPath }, status: () => ({ model: { name, device: 'cpu' } }) });
  let now = loaded('one');
  const door = openProbing({ engine: { slot: { need: () => now } as unknown as EngineSlot } });

  const first = await door.info();
  expect(first).toMatchObject({ model_name: 'one', vocab_size: expect.any(Number), device: 'cpu' });
  await rm(modelPath);
  expect(await door.info()).toEqual(first);

  now = loaded('two');
  await expect(door.info()).rejects.toMatchObject({ code: expect.any(String) });
  await copyFile(TINY, modelPath); // what failed is not kept
  expect(await door.info()).toEqual({ ...first, model_name: 'two' });
});
