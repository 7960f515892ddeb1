import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchLiars } from '../../../../src-main/bench/swarm/attack.ts';
import { MARKET_ATTACKS, type MarketAttack } from '../../../../src-main/bench/swarm/gang.ts';
import { Market } from '../../../../src-main/bench/swarm/market.ts';
import { SwarmSimulation } from '../../../../src-main/bench/swarm/simulation.ts';
import { benchSwarm, jainIndex } from '../../../../src-main/bench/swarm/swarm.ts';
import { benchTheft } from '../../../../src-main/bench/swarm/theft.ts';

const small = { workers: 20, requests: 200, seed: 3 };

describe('the swarm', () => {
  it('loses nothing, starves nobody, and every ledger proves itself', async () => {
    const result = await new SwarmSimulation(small).run();
    expect(result).toMatchObject({ lost: [], overtaken: 0, ledgers: 16, unsound: 0 });
    expect(result.outcomes).toHaveLength(small.requests);
  });

  it('is the same for the same seed, and another for another', async () => {
    const few = { ...small, requests: 60 };
    const [first, again, other] = [
      await new SwarmSimulation(few).run(),
      await new SwarmSimulation(few).run(),
      await new SwarmSimulation({ ...few, seed: 4 }).run(),
    ];
    expect(again).toEqual(first);
    expect(other.outcomes).not.toEqual(first.outcomes);
  });

  it('ends when it is told to, in the middle of it', async () => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(new Error('enough')), 1);
    await expect(new SwarmSimulation({ ...small, requests: 20_000 }).run(ending.signal)).rejects.toThrow('enough');
  });

  it('is reported row by row', async () => {
    const rows = [];
    for await (const event of benchSwarm(small)) if (event.type === 'row') rows.push(event.row);
    expect(rows[0]).toMatchObject({ bench: 'swarm', case: 'lost requests', ours: 0, goal: '0' });
    expect(rows.map(({ case: name }) => name)).toContain('newcomer: wait p99');
  });
});

describe('the swarm with half of its workers lying', () => {
  it('is served all the same', async () => {
    const rows = new Map<string, number>();
    for await (const event of benchLiars({ ...small, seeds: 1 })) {
      if (event.type === 'row') rows.set(event.row.case, event.row.ours);
    }
    expect(rows.get('liars: answered')).toBeGreaterThanOrEqual(99);
    expect(rows.get('liars: added wait p50')).toBeLessThanOrEqual(1_000);
    expect(rows.get('liars: attempts at liars')).toBeGreaterThan(0);
  });
});

describe('the mesh with three of ten nodes that come to steal', () => {
  const market = { nodes: 20, requests: 600, seed: 2, seeds: 1 };

  async function figures(attack: MarketAttack) {
    const rows = new Map<string, number>();
    for await (const event of benchTheft([attack], market)) {
      if (event.type === 'row') rows.set(event.row.case.replace(`${attack}: `, ''), event.row.ours);
    }
    return rows;
  }

  it.each(Object.keys(MARKET_ATTACKS) as MarketAttack[])('gives nobody more than it has served: %s', async (attack) => {
    const rows = await figures(attack);
    expect(rows.get('had or still owed for claims beyond what was served')).toBe(0);
    expect(rows.get('let go beyond what was owed')).toBe(0);
    expect(rows.get('had for claims ÷ served') ?? 0)[attack === 'collude' ? 'toBeGreaterThan' : 'toBe'](0);
    expect(rows.get('lost requests')).toBe(0);
    expect(rows.get('earners refused')).toBeLessThanOrEqual(2);
  });

  it('is the same for the same seed', async () => {
    const options = { nodes: 12, hostile: 4, prefixes: 2, requests: 200, seed: 5, attack: 'collude' } as const;
    expect(await new Market(options).run()).toEqual(await new Market(options).run());
  });
});

describe('the Jain index', () => {
  it('is 1 when all get the same, and 1/n when one gets everything', () => {
    expect(jainIndex([3, 3, 3])).toBeCloseTo(1);
    expect(jainIndex([5, 0, 0, 0])).toBeCloseTo(0.25);
    expect(jainIndex([])).toBe(1);
  });

  it('does not depend on the unit', () => {
    const shares = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(shares, fc.double({ min: 0.1, max: 10, noNaN: true }), (values, unit) => {
        expect(jainIndex(values.map((value) => value * unit))).toBeCloseTo(jainIndex(values), 6);
      }),
    );
  });
});
