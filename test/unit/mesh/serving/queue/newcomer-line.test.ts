import { describe, expect, it } from 'vitest';
import { NewcomerLine } from '../../../../../src-main/mesh/serving/queue/newcomer-line.ts';

const NOW = 1_000_000;
const nothing = () => 0;

function line(options: { capacity?: number; given?: (prefix: string) => number } = {}) {
  const newcomers = new NewcomerLine<string>({ given: nothing, now: NOW, ...options });
  return {
    newcomers,
    add: (requestId: string, prefix: string, now = NOW) => newcomers.add({ requestId, prefix, value: requestId }, now),
    take: (now = NOW) => newcomers.take(now)?.requestId,
  };
}

describe('newcomers', () => {
  it('are taken by what their prefixes were given, then by who came first', () => {
    const given: Record<string, number> = { a: 3, b: 1, c: 1 };
    const { newcomers, add, take } = line({ given: (prefix) => given[prefix] ?? 0 });
    expect([add('a1', 'a'), add('b1', 'b'), add('b2', 'b'), add('c1', 'c')]).toEqual([0, 0, 1, 2]);
    expect([...newcomers].map(({ requestId }) => requestId)).toEqual(['b1', 'b2', 'c1', 'a1']);
    expect([take(), take(), take(), take(), take()]).toEqual(['b1', 'b2', 'c1', 'a1', undefined]);
  });

  it('of one prefix wait four at once, whatever their keys; of all prefixes no more than there is room for', () => {
    const { newcomers, add, take } = line({ capacity: 6 });
    for (const id of ['1', '2', '3', '4']) add(id, 'crowd');
    expect(() => add('5', 'crowd')).toThrow(expect.objectContaining({ code: 'RATE_LIMIT', retryable: true }));
    add('6', 'other');
    add('7', 'third');
    expect(() => add('8', 'fourth')).toThrow(expect.objectContaining({ code: 'QUEUE_FULL', retryable: true }));
    expect([newcomers.remove('2'), newcomers.remove('2')]).toEqual([true, false]);
    add('8', 'fourth');
    expect(newcomers.size).toBe(6);
    expect(take()).toBe('1');
  });

  it('of a prefix that was given less, and waits with fewer, may put out the last of the one that was given most', () => {
    const given: Record<string, number> = { a: 2, b: 5, c: 5, d: 3 };
    const { newcomers, add } = line({ capacity: 5, given: (prefix) => given[prefix] ?? 0 });
    const outranked = (prefix: string, now = NOW) => newcomers.outranked(prefix, now)?.requestId;
    for (const id of ['b1', 'a1', 'b2', 'c1']) add(id, id.charAt(0));
    expect(outranked('new')).toBeUndefined();
    add('a2', 'a');
    expect([outranked('new'), outranked('d')]).toEqual(['b2', 'b2']);
    newcomers.remove('c1');
    add('a3', 'a');
    expect([outranked('new'), outranked('c'), outranked('b')]).toEqual(['b2', 'b2', undefined]);
    newcomers.used(100_000, 1, NOW);
    expect(outranked('new')).toBeUndefined();
  });

  it('of prefixes that were given as much share the line: who waits with more than one more than another gives it a place', () => {
    const { newcomers, add } = line({ capacity: 8 });
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']) add(id, id.charAt(0));
    const enter = (id: string) => {
      const out = newcomers.outranked(id.charAt(0), NOW)?.requestId;
      if (!out) return undefined;
      newcomers.remove(out);
      add(id, id.charAt(0));
      return out;
    };
    const out = ['c1', 'c2', 'd1', 'd2', 'e1'].map(enter);
    expect(out).toEqual(['b4', 'a4', 'b3', 'a3', 'd2']);
    expect([enter('a5'), enter('e2'), enter('f1')]).toEqual([undefined, undefined, 'c2']);
  });

  it('have half of the engine’s time, and a minute of it ahead', () => {
    const { newcomers, add, take } = line();
    add('a', 'a');
    newcomers.used(122_000, 2, NOW);
    expect([take(), newcomers.waitMs(NOW)]).toEqual([undefined, 2_000]);
    expect(take(NOW + 1_999)).toBeUndefined();
    expect(take(NOW + 2_000)).toBe('a');
  });

  it('are sent elsewhere when it would be long before they may have the engine again', () => {
    const { newcomers, add } = line();
    newcomers.used(80_000, 1, NOW);
    const refusal = { code: 'RATE_LIMIT', retryable: true, retryAfterMs: 40_000 };
    expect(() => add('a', 'a')).toThrow(expect.objectContaining(refusal));
    expect(add('a', 'a', NOW + 10_000)).toBe(0);
  });
});
