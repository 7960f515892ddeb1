import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ignoring } from '../../../../src-main/base/swallowed.ts';
import { Bandwidth } from '../../../../src-main/models/downloads/bandwidth.ts';

const KIB = 1024;
const never = new AbortController().signal;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function limited(perSecond: number | null): Bandwidth {
  const bandwidth = new Bandwidth(() => Date.now());
  bandwidth.limit(perSecond);
  return bandwidth;
}

/** Takes one KiB after the other. @returns how many it has */
function takeForever(bandwidth: Bandwidth, signal = never): { taken: number } {
  const taker = { taken: 0 };
  const run = async () => {
    while (true) {
      await bandwidth.take(KIB, signal);
      taker.taken++;
    }
  };
  run().catch(ignoring('it takes until it is stopped'));
  return taker;
}

describe('Bandwidth', () => {
  it('lets everything through without a cap', async () => {
    const bandwidth = limited(null);
    for (let count = 0; count < 1_000; count++) await bandwidth.take(1 << 30, never);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps to the cap, whatever the size of what is taken', async () => {
    const bandwidth = limited(100 * KIB);
    const taker = takeForever(bandwidth);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(taker.taken).toBeGreaterThan(990);
    expect(taker.taken).toBeLessThan(1_030);
  });

  it('delays whoever comes after somebody who took more than there was', async () => {
    const bandwidth = limited(100 * KIB);
    await bandwidth.take(500 * KIB, never);
    const next = vi.fn();
    bandwidth.take(KIB, never).then(next);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(next).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(next).toHaveBeenCalled();
  });

  it('serves takers in turn', async () => {
    const bandwidth = limited(100 * KIB);
    const takers = [takeForever(bandwidth), takeForever(bandwidth), takeForever(bandwidth)];
    await vi.advanceTimersByTimeAsync(3_000);
    const counts = takers.map(({ taken }) => taken);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('heeds a new cap at once, for those who wait too', async () => {
    const bandwidth = limited(KIB);
    await bandwidth.take(1_000 * KIB, never);
    const waiting = vi.fn();
    bandwidth.take(KIB, never).then(waiting);
    bandwidth.limit(1_000 * KIB);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(waiting).toHaveBeenCalled();
    bandwidth.take(5_000 * KIB, never);
    const second = vi.fn();
    bandwidth.take(KIB, never).then(second);
    bandwidth.limit(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(second).toHaveBeenCalled();
  });

  it('saves up no more than a quarter of a second', async () => {
    const bandwidth = limited(100 * KIB);
    await vi.advanceTimersByTimeAsync(60_000);
    const taker = takeForever(bandwidth);
    await vi.advanceTimersByTimeAsync(0);
    expect(taker.taken).toBeLessThanOrEqual(27);
  });

  it('lets go of a taker whose signal ends, and leaves no timer behind', async () => {
    const bandwidth = limited(KIB);
    const ending = new AbortController();
    await bandwidth.take(100 * KIB, never);
    const taken = bandwidth.take(KIB, ending.signal);
    ending.abort(new Error('enough'));
    await expect(taken).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves nobody else out when takers end together, of whom one was admitted just now', async () => {
    const bandwidth = limited(KIB);
    const ending = new AbortController();
    await bandwidth.take(10 * KIB, never);
    const lines = [bandwidth.take(KIB, ending.signal), bandwidth.take(KIB, ending.signal)];
    const other = vi.fn();
    bandwidth.take(KIB, never).then(other);
    vi.advanceTimersByTime(10_000); // admits the first, which has yet to notice
    ending.abort(new Error('enough'));
    for (const line of lines) await expect(line).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(other).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
