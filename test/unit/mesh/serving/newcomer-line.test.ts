import { describe, expect, it } from 'vitest';
import { NewcomerLine } from '../../../../src-main/mesh/serving/newcomer-line.ts';

const NOW = 1_000_000;
const nothing = () => 0;

function line(options: { capacity?: number; parallel?: number } = {}) {
  const newcomers = new NewcomerLine<string>({ parallel: 2, now: NOW, ...options });
  return {
    newcomers,
    add: (requestId: string, network: string) => newcomers.add({ requestId, network, value: requestId }),
    take: (given: (network: string) => number = nothing, now = NOW) => newcomers.take(given, now)?.requestId,
  };
}

describe('newcomers', () => {
  it('are taken by what their networks were given, then by who came first', () => {
    const { add, take } = line();
    add('a1', 'a');
    add('b1', 'b');
    add('b2', 'b');
    add('c1', 'c');
    const given: Record<string, number> = { a: 3, b: 1, c: 1 };
    const had = (network: string) => given[network] ?? 0;
    expect([take(had), take(had), take(had), take(had), take(had)]).toEqual(['b1', 'b2', 'c1', 'a1', undefined]);
  });

  it('of one network wait four at once, whatever their keys; of all networks no more than there is room for', () => {
    const { newcomers, add, take } = line({ capacity: 6 });
    for (const id of ['1', '2', '3', '4']) add(id, 'crowd');
    expect(() => add('5', 'crowd')).toThrow(expect.objectContaining({ code: 'RATE_LIMIT', retryable: true }));
    add('6', 'other');
    add('7', 'third');
    expect(() => add('8', 'fourth')).toThrow(expect.objectContaining({ code: 'QUEUE_FULL', retryable: true }));
    newcomers.remove('2');
    add('8', 'fourth');
    expect(newcomers.size).toBe(6);
    expect(take()).toBe('1');
  });

  it('have half of the engine’s time, and a minute of it ahead', () => {
    const { newcomers, add, take } = line({ parallel: 2 });
    add('a', 'a');
    newcomers.used(61_000, NOW);
    expect([take(), newcomers.waitMs(NOW)]).toEqual([undefined, 1_000]);
    expect(take(nothing, NOW + 999)).toBeUndefined();
    expect(take(nothing, NOW + 1_000)).toBe('a');
  });
});
