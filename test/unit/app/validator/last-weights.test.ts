import { describe, expect, it, vi } from 'vitest';
import { ranks } from '../../../../src-main/app/validator/figures.ts';
import { LastWeights } from '../../../../src-main/app/validator/last-weights.ts';
import type { WeightsView } from '../../../../src-preload/contract/validator.ts';

const view = (preset: string) => ({ preset, environments: [], miners: [] }) as unknown as WeightsView;

describe('the weights of /metrics', () => {
  const clock = { at: 1_000 };
  const log = { error: vi.fn() };
  const lastOf = (reckon: () => Promise<WeightsView>) => {
    log.error.mockClear();
    return new LastWeights({ reckon, log, now: () => clock.at });
  };

  it('are waited for once, told at once from then on, and renewed behind that', async () => {
    const second = Promise.withResolvers<WeightsView>();
    const reckon = vi.fn(() => second.promise).mockResolvedValueOnce(view('first'));
    const last = lastOf(reckon);
    expect(last.age).toBeNaN();
    const asked = await Promise.all([last.read(), last.read()]);
    expect(asked.map((one) => one?.preset)).toEqual(['first', 'first']);
    expect(reckon).toHaveBeenCalledTimes(1);
    clock.at += 60_000;
    expect((await last.read())?.preset).toBe('first');
    expect([reckon.mock.calls.length, last.age]).toEqual([2, 60_000]);
    second.resolve(view('second'));
    await second.promise;
    await new Promise(setImmediate);
    expect((await last.read())?.preset).toBe('second');
    expect(reckon).toHaveBeenCalledTimes(2);
  });

  it('are tried again soon where they could not be reckoned, which is told once', async () => {
    const reckon = vi.fn(async () => view('first')).mockRejectedValueOnce(new Error('away'));
    const last = lastOf(reckon.mockRejectedValueOnce(new Error('away')));
    expect(await Promise.all([last.read(), last.read(), last.read()])).toEqual([undefined, undefined, undefined]);
    expect([reckon.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 1]);
    clock.at += 5_000;
    expect(await last.read()).toBeUndefined();
    clock.at += 5_000;
    expect((await last.read())?.preset).toBe('first');
    expect([reckon.mock.calls.length, log.error.mock.calls.length]).toEqual([3, 1]);
  });

  it('are reckoned no more once that is closed, which waits for what is being reckoned', async () => {
    const first = Promise.withResolvers<WeightsView>();
    const reckon = vi.fn(() => first.promise);
    const last = lastOf(reckon);
    const asked = last.read();
    const order: string[] = [];
    const closed = last.close().then(() => order.push('closed'));
    await new Promise(setImmediate);
    order.push('reckoned');
    first.resolve(view('first'));
    await closed;
    expect([order, (await asked)?.preset]).toEqual([['reckoned', 'closed'], 'first']);
    clock.at += 600_001;
    expect((await last.read())?.preset).toBe('first');
    expect(reckon).toHaveBeenCalledTimes(1);
    await last.close();
  });

  it('are waited for where they are old', async () => {
    const last = lastOf(vi.fn(async () => view('second')).mockResolvedValueOnce(view('first')));
    await last.read();
    clock.at += 600_001;
    expect((await last.read())?.preset).toBe('second');
  });
});

it('ranks whoever is as good at one place', () => {
  const miners = [0.5, 0.9, 0.5, 0.1].map((mean, at) => ({
    miner: `m${at}`,
    samples: [{ environment: 'sat', miner: `m${at}`, mean }],
  }));
  const ranked = ranks({ environments: ['sat', 'none'], miners } as unknown as WeightsView);
  expect(ranked.map(({ labels, value }) => [labels.uid, value])).toEqual([
    ['m1', 1],
    ['m0', 2],
    ['m2', 2],
    ['m3', 4],
  ]);
});
