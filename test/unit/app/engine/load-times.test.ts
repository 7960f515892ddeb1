import { expect, it, vi } from 'vitest';
import { LoadTimes } from '../../../../src-main/app/engine/load-times.ts';
import type { InferenceBackend } from '../../../../src-main/inference/backend.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';
import { type ModelLoad, ModelLoadStore } from '../../../../src-main/store/model-loads.ts';

const load = (sha256: string, bytes: number, ms: number): ModelLoad => ({ sha256, bytes, ms, at: 1 });

async function knowing(...loads: ModelLoad[]): Promise<LoadTimes> {
  const times = new LoadTimes({ list: async () => loads, put: async () => {} });
  await times.open();
  return times;
}

it('a file that was loaded here takes as long again; of another its size is reckoned with', async () => {
  const small = load('small', 5_000_000, 400);
  const large = load('large', 4_000_000_000, 8_000);
  const times = await knowing(small, large);
  expect(times.expectedMs(small)).toBe(400);
  expect(times.expectedMs({ sha256: 'new', bytes: 2_000_000_000 })).toBe(400 + 4_000);
});

it('the latest time counts for half: the file may have been in the system’s cache, or not', async () => {
  const put = vi.fn(async () => {});
  const times = new LoadTimes({ list: async () => [load('a', 10, 1_000)], put }, () => 7);
  await times.open();
  const status = () => ({ model: { sha256: 'a' } });
  await times.loaded({ engine: { modelPath: import.meta.filename }, status } as unknown as InferenceBackend, 200);
  expect(times.expectedMs({ sha256: 'a', bytes: 10 })).toBe(600);
  expect(put).toHaveBeenCalledWith(expect.objectContaining({ sha256: 'a', ms: 600, at: 7 }));
});

it('a small file says nothing of the disk, and before anything was loaded a slow one is taken for granted', async () => {
  const wanted = { sha256: 'new', bytes: 1_200_000_000 };
  expect((await knowing(load('small', 5_000_000, 400))).expectedMs(wanted)).toBe(400 + 10_000);
  expect((await knowing()).expectedMs(wanted)).toBe(2_000 + 10_000);
});

it('what was measured outlives the node, and is kept once for each file', async () => {
  const db = await openDatabase(':memory:');
  const store = new ModelLoadStore(db);
  for (const ms of [900, 500]) await store.put(load('a', 10, ms));
  await store.put({ ...load('b', 20, 700), at: 2 });
  expect(await store.list()).toEqual([{ ...load('b', 20, 700), at: 2 }, load('a', 10, 500)]);
  expect(await store.list(1)).toHaveLength(1);
  await db.destroy();
});
