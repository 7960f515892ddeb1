import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS, type Tier, tierRank } from '../../../../../src-main/credits/tiers.ts';
import { MS_PER_RANK, type QueueItem, RequestQueue } from '../../../../../src-main/mesh/serving/queue/queue.ts';

let made = 0;

function item(tier: Tier, client = `client-${made}`): QueueItem<undefined> {
  return { requestId: `request-${made++}`, client, tier, value: undefined };
}

function order(queue: RequestQueue<undefined>): string[] {
  return [...{ [Symbol.iterator]: () => queue[Symbol.iterator]() }].map(({ requestId }) => requestId);
}

describe('the queue', () => {
  it('serves tiers from master to newcomer', () => {
    const queue = new RequestQueue<undefined>();
    for (const tier of TIERS) queue.add(item(tier), 0);
    const served = TIERS.map(() => queue.take(1)?.tier);
    expect(served).toEqual(TIERS.toReversed());
  });

  it('serves a tier in order of arrival, even when the clock is set back', () => {
    const queue = new RequestQueue<undefined>();
    const items = [1_000, 2_000, 500, 1_500].map((now) => {
      const next = item('gold');
      queue.add(next, now);
      return next.requestId;
    });
    expect(order(queue)).toEqual(items);
  });

  it('lets a newcomer that waited 90 s go before a master that just came', () => {
    const queue = new RequestQueue<undefined>();
    const [old, young, master] = [item('newcomer'), item('newcomer'), item('master')];
    queue.add(old, 0);
    queue.add(young, 2);
    expect(queue.add(master, 6 * MS_PER_RANK + 1)).toBe(1);
    expect(order(queue)).toEqual([old.requestId, master.requestId, young.requestId]);
  });

  it('refuses what does not fit, with a reason', () => {
    const queue = new RequestQueue<undefined>({ capacity: 2 });
    queue.add(item('gold'), 0);
    queue.add(item('gold'), 0);
    expect(() => queue.add(item('master'), 0)).toThrow(
      expect.objectContaining({ code: 'QUEUE_FULL', retryable: true }),
    );
  });

  it('lets one client have only so many waiting, and again when one was served', () => {
    const queue = new RequestQueue<undefined>();
    for (let count = 0; count < 3; count++) queue.add(item('gold', 'busy'), 0);
    expect(() => queue.add(item('gold', 'busy'), 0)).toThrow(expect.objectContaining({ code: 'RATE_LIMIT' }));
    queue.take(1);
    expect(queue.add(item('gold', 'busy'), 0)).toBe(2);
  });

  it('says whom a request may put out: the last of the lowest tier, if that is lower than its own', () => {
    const queue = new RequestQueue<undefined>({ capacity: 4 });
    const [gold, first, last, silver] = [item('gold'), item('bronze'), item('bronze', 'late'), item('silver')];
    for (const one of [gold, first, last, silver]) queue.add(one, 0);
    expect(queue.outranked(item('master'))?.requestId).toBe(last.requestId);
    expect(queue.outranked(item('silver'))?.requestId).toBe(last.requestId);
    expect(queue.outranked(item('bronze'))).toBeUndefined();
    queue.remove(last.requestId);
    expect(queue.outranked(item('gold'))?.requestId).toBe(first.requestId);
  });

  it('lets a client whose own requests wait already put out nobody', () => {
    const queue = new RequestQueue<undefined>({ capacity: 4 });
    queue.add(item('bronze'), 0);
    for (let count = 0; count < 3; count++) queue.add(item('master', 'busy'), 0);
    expect(queue.outranked(item('master', 'busy'))).toBeUndefined();
  });

  it('refuses a request that waits already', () => {
    const queue = new RequestQueue<undefined>();
    const twice = item('gold');
    queue.add(twice, 0);
    expect(() => queue.add(twice, 0)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });

  it('reports waits against the tier targets', () => {
    const queue = new RequestQueue<undefined>();
    for (const now of [0, 600]) queue.add(item('gold'), now);
    queue.take(1_200);
    queue.take(1_200);
    expect(queue.waits()).toEqual([
      { tier: 'gold', served: 2, meanMs: 900, maxMs: 1_200, targetMs: 1_000, withinTarget: 0.5 },
    ]);
  });

  it('behaves like a list sorted by arrival and rank, whatever is done to it', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ add: fc.constantFrom(...TIERS), after: fc.nat(20_000) }) },
      { weight: 2, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3_000 }), (steps) => {
        const queue = new RequestQueue<undefined>({ capacity: 10_000 });
        let model: { id: string; key: number }[] = [];
        let now = 0;
        for (const action of steps) {
          if (action === 'take') expect(queue.take(now)?.requestId).toBe(model.shift()?.id);
          else if ('add' in action) {
            now += action.after;
            const next = item(action.add);
            const position = queue.add(next, now);
            model.push({ id: next.requestId, key: now - tierRank(action.add) * MS_PER_RANK });
            model = model.toSorted((a, b) => a.key - b.key);
            expect(model[position]?.id).toBe(next.requestId);
          } else if (model.length > 0) {
            const [gone] = model.splice(action.remove % model.length, 1);
            expect(queue.remove(gone!.id)?.requestId).toBe(gone!.id);
          }
        }
        expect(order(queue)).toEqual(model.map(({ id }) => id));
        expect(model.every(({ id }, index) => queue.position(id) === index)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('starves nobody: whoever comes later than 90 s after a request is served after it', () => {
    const arrival = fc.record({ tier: fc.constantFrom(...TIERS), after: fc.nat(30_000) });
    fc.assert(
      fc.property(fc.array(arrival, { minLength: 2, maxLength: 200 }), (arrivals) => {
        const queue = new RequestQueue<number>({ capacity: 1_000 });
        let now = 0;
        for (const { tier, after } of arrivals) {
          now += after;
          queue.add({ ...item(tier), value: now }, now);
        }
        let latest = 0;
        for (let next = queue.take(now); next; next = queue.take(now)) {
          expect(next.value).toBeGreaterThanOrEqual(latest - 6 * MS_PER_RANK);
          latest = Math.max(latest, next.value);
        }
      }),
    );
  });
});
