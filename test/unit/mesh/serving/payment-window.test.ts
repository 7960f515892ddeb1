import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PaymentWindow } from '../../../../src-main/mesh/serving/payment-window.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

it('an answer stands for 15 seconds in all, however late each pledge comes', async () => {
  const window = new PaymentWindow(Date.now);
  for (const [credits, ms] of [
    [1, 4_000],
    [2, 6_000],
  ] as const) {
    const room = window.room(1 + 256 * (credits - 1), never);
    await vi.advanceTimersByTimeAsync(ms);
    window.open(credits);
    await room;
  }
  const late = expect(window.room(513, never)).rejects.toMatchObject({ code: 'NO_CREDIT' });
  await vi.advanceTimersByTimeAsync(5_000);
  await late;
  expect(window.stoodMs).toBe(15_000);
});

it('before anything was signed for it stands for five', async () => {
  const window = new PaymentWindow(Date.now);
  const none = expect(window.room(1, never)).rejects.toMatchObject({ code: 'NO_CREDIT' });
  await vi.advanceTimersByTimeAsync(5_000);
  await none;
});
