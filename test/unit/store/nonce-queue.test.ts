import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Nonce, NonceQueue } from '../../../src-main/store/nonce-queue.ts';

const nonceOf = (nonce: string): Nonce => ({ hotkey: 'ann', nonce, at: 5 });

/** A disk that is as slow as the test says. */
function openDisk() {
  const written: string[][] = [];
  const known = new Set<string>();
  let done = Promise.withResolvers<void>();
  const queue = new NonceQueue(async (nonces) => {
    written.push(nonces.map(({ nonce }) => nonce));
    await done.promise;
    return nonces.filter(({ nonce }) => known.size !== known.add(nonce).size);
  });
  const end = (error?: Error) => {
    const { resolve, reject } = done;
    done = Promise.withResolvers<void>();
    if (error) reject(error);
    else resolve();
  };
  return { queue, written, end };
}

it('nonces that come while others are written go together, and of the same one twice the first is new', async () => {
  const { queue, written, end } = openDisk();
  const first = queue.take(nonceOf('1'));
  await expect.poll(() => written.length).toBe(1);
  const others = ['2', '3', '2', '1'].map((nonce) => queue.take(nonceOf(nonce)));
  end();
  expect(await first).toBe(true);
  await expect.poll(() => written.length).toBe(2);
  end();
  expect(await Promise.all(others)).toEqual([true, true, false, false]);
  expect(written).toEqual([['1'], ['2', '3', '2', '1']]);
});

it('a write that fails takes nothing but its own with it', async () => {
  const { queue, written, end } = openDisk();
  const first = queue.take(nonceOf('1')).catch((error: Error) => error.message);
  await expect.poll(() => written.length).toBe(1);
  const second = queue.take(nonceOf('2'));
  end(new Error('The disk is full.'));
  expect(await first).toBe('The disk is full.');
  await expect.poll(() => written.length).toBe(2);
  end();
  expect(await second).toBe(true);
});

it('between two writes whoever else waits has a turn', async () => {
  let turns = 0;
  const turnsAt: number[] = [];
  const queue = new NonceQueue(async (nonces) => {
    turnsAt.push(turns);
    return nonces;
  });
  const all = Array.from({ length: 300 }, (_, at) => queue.take(nonceOf(String(at))));
  let isDone = false;
  const taken = Promise.all(all).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await aTurn();
    turns++;
  }
  expect(await taken).toEqual(Array(300).fill(true));
  expect(new Set(turnsAt).size).toBe(turnsAt.length);
});
