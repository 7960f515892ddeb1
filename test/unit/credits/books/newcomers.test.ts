import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Newcomers } from '../../../../src-main/credits/books/newcomers.ts';

const HOUR = 3_600_000;

describe('newcomers', () => {
  it('of one network use up the places for themselves, not for others', () => {
    const newcomers = new Newcomers(100);
    for (let key = 0; key < 100; key++) newcomers.admit(`throw-away ${key}`, `203.0.113.${key}`, 0);
    expect(() => newcomers.admit('one more', '203.0.113.7', 60_000)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT', retryable: true, retryAfterMs: HOUR - 60_000 }),
    );
    newcomers.admit('somebody honest', '198.51.100.9', 60_000);
    newcomers.admit('her neighbour', '198.51.100.10', 60_000);
  });

  it('that are known already count once', () => {
    const newcomers = new Newcomers(1);
    newcomers.admit('a', '203.0.113.1', 0);
    newcomers.admit('a', '203.0.113.1', 1);
    expect(() => newcomers.admit('b', '203.0.113.2', 2)).toThrow();
    newcomers.admit('b', '203.0.113.2', HOUR + 1);
  });

  it('are not locked out by many networks either, and the ledger grows by no more than a few times the limit', () => {
    const limit = 50;
    const from = fc.record({ network: fc.nat(200), key: fc.nat(10_000) });
    fc.assert(
      fc.property(fc.array(from, { maxLength: 2_000 }), (arrivals) => {
        const newcomers = new Newcomers(limit);
        const admitted = new Set<string>();
        for (const { network, key } of arrivals) {
          try {
            newcomers.admit(`${network} ${key}`, `203.0.${network}.1`, 0);
            admitted.add(`${network} ${key}`);
          } catch {
            // refused
          }
        }
        const networks = new Set(arrivals.map(({ network }) => network)).size;
        expect(admitted.size).toBeLessThanOrEqual(limit * (2 + Math.log(networks + 1)));
        if (networks < limit) expect(() => newcomers.admit('honest', '198.51.100.1', 0)).not.toThrow();
      }),
    );
  });
});
