import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Samples } from '../../../../src-main/app/node/samples.ts';
import type { Sample } from '../../../../src-preload/contract/node.ts';

const IDLE = { active: 0, waiting: 0, health: 90, peers: 2 };

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open(): Samples & AsyncDisposable {
  const samples = new Samples({ read: () => IDLE });
  samples.open();
  return Object.assign(samples, { [Symbol.asyncDispose]: async () => samples.close() });
}

describe('samples', () => {
  it('count what was generated in each second', async () => {
    await using samples = open();
    samples.tokens(20);
    samples.tokens(10);
    samples.firstToken(340);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(samples.list()).toEqual([
      { at: 1_001_000, tokensPerSecond: 30, firstTokenMs: 340, ...IDLE },
      { at: 1_002_000, tokensPerSecond: 0, firstTokenMs: null, ...IDLE },
    ]);
  });

  it('reckon with the time that really passed', async () => {
    let at = 0;
    const samples = new Samples({ read: () => IDLE, now: () => at });
    samples.open();
    samples.tokens(30);
    at = 3_000; // the computer was busy
    await vi.advanceTimersByTimeAsync(1_000);
    samples.close();
    expect(samples.list()).toMatchObject([{ at: 3_000, tokensPerSecond: 10 }]);
  });

  it('keep fifteen minutes', async () => {
    await using samples = open();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(samples.list()).toHaveLength(900);
    expect(samples.list().at(-1)?.at).toBe(2_000_000);
  });

  it('are told to who watches: those that are kept, then each new one', async () => {
    await using samples = open();
    await vi.advanceTimersByTimeAsync(2_000);
    const leaving = new AbortController();
    const watch = samples.watch(leaving.signal);
    expect((await watch.next()).value).toHaveLength(2);
    const next = watch.next();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await next).value).toMatchObject([{ at: 1_003_000 }]);
    await vi.advanceTimersByTimeAsync(2_000); // who reads slowly gets several at once
    expect((await watch.next()).value).toMatchObject([{ at: 1_004_000 }, { at: 1_005_000 }]);
    const end = watch.next();
    leaving.abort();
    expect(await end).toMatchObject({ done: true });
  });

  it('end every watch, and their timer, when they are closed', async () => {
    const samples = open();
    const watch = samples.watch(new AbortController().signal);
    await watch.next();
    const end = watch.next();
    samples.close();
    expect(await end).toMatchObject({ done: true });
    expect(vi.getTimerCount()).toBe(0);
    samples.open();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('give up nothing for a watcher that has left', async () => {
    await using samples = open();
    const seen: Sample[][] = [];
    for await (const some of samples.watch(new AbortController().signal)) {
      seen.push(some);
      break;
    }
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen).toEqual([[]]);
    expect(vi.getTimerCount()).toBe(1); // the samples' own
  });
});
