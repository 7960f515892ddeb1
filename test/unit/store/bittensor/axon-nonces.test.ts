import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AxonNonceStore } from '../../../../src-main/store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';

it('keeps how far each hotkey’s nonces go, never lower, also for who comes next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-nonces-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await openDatabase(join(folder, 'quarry.db'));
  const store = new AxonNonceStore(first);
  expect(await store.load('one')).toBe(0);
  await store.raise('one', 1_800_000_000_000);
  await store.raise('one', 1_700_000_000_000);
  await store.raise('two', 5);
  // Without a word to the first one: it was killed.
  const second = await openDatabase(join(folder, 'quarry.db'));
  const again = new AxonNonceStore(second);
  expect([await again.load('one'), await again.load('two')]).toEqual([1_800_000_000_000, 5]);
  await first.destroy();
  await second.destroy();
});
