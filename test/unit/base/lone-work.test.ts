import { expect, it, vi } from 'vitest';
import { LoneWork } from '../../../src-main/base/lone-work.ts';

/** Work that goes on until it is stopped. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

it('is known by its id while it runs, and is stopped by it alone', async () => {
  const onEnd = vi.fn();
  const work = new LoneWork(onEnd);
  expect(work.runs()).toBe(false);
  work.begin('a', untilStopped);
  expect([work.runs(), work.runs('a'), work.runs('b')]).toEqual([true, true, false]);
  await work.stop('b');
  expect(work.runs('a')).toBe(true);
  await work.stop('a');
  expect([work.runs(), onEnd.mock.calls.length]).toEqual([false, 1]);
});

it('closing waits for what is being begun, and stops it', async () => {
  const work = new LoneWork(() => undefined);
  const begun = work.take(async () => work.begin('a', untilStopped));
  await work.close();
  await begun;
  expect([work.isClosed, work.runs()]).toEqual([true, false]);
  await work.close();
});
