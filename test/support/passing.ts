import { vi } from 'vitest';

/** Lets the clock that a test fakes run until the promise is settled. */
export async function passing<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  await vi.advanceTimersByTimeAsync(0);
  while (!settled) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
