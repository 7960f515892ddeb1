import { describe, expect, it } from 'vitest';
import { Sampler } from '../../../../src-main/validation/run/sampler.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';

const random = () => {
  const source = new SeededRandom('sampler');
  return () => source.between(0, 999_999) / 1_000_000;
};
const ENVIRONMENTS = ['sat', 'elr'];
const MINERS = ['a', 'b', 'c'];

/** How often each pair comes up. */
function drawn(sampler: Sampler, times: number, note: (pair: { environment: string; miner: string }) => void) {
  const counts: Record<string, number> = {};
  for (let at = 0; at < times; at++) {
    const pair = sampler.pick(ENVIRONMENTS, MINERS);
    if (!pair) throw new Error('nothing was chosen');
    counts[`${pair.environment} ${pair.miner}`] = (counts[`${pair.environment} ${pair.miner}`] ?? 0) + 1;
    note(pair);
  }
  return counts;
}

describe('the sampler', () => {
  it('brings all to the same number of results, whoever had more', () => {
    const sampler = new Sampler(random());
    sampler.takeOver([{ environment: 'sat', miner: 'a', count: 300 }], 1_000);
    const counts = drawn(sampler, 1_500, (pair) => sampler.asked(pair));
    const all = Object.values({ ...counts, 'sat a': 300 + (counts['sat a'] ?? 0) });
    expect(Math.min(...all)).toBeGreaterThan(230);
    expect(counts['sat a']).toBeLessThan(150);
  });

  it('takes over no more of a pair than there can be', () => {
    const sampler = new Sampler(random());
    const counts = MINERS.map((miner) => ({ environment: 'sat', miner, count: miner === 'a' ? 1e15 : 1_000 }));
    sampler.takeOver(counts, 1_000);
    const shares = Array.from({ length: 1_000 }, () => sampler.pick(['sat'], MINERS)?.miner);
    expect(shares.filter((miner) => miner === 'a').length).toBeGreaterThan(250);
  });

  it('asks whom nobody hears from seldom, but does not forget him; an answer brings him back', () => {
    const sampler = new Sampler(random());
    const counts = drawn(sampler, 900, (pair) => {
      sampler.asked(pair);
      if (pair.miner === 'c') sampler.failed(pair);
      else sampler.answered(pair);
    });
    const failing = (counts['sat c'] ?? 0) + (counts['elr c'] ?? 0);
    expect(failing).toBeGreaterThan(10);
    expect(failing).toBeLessThan(200);
    const pair = { environment: 'sat', miner: 'c' };
    const before = sampler.backOff(pair);
    sampler.answered(pair);
    expect([before % 10, sampler.backOff(pair)]).toEqual([0, before - 10]);
  });

  it('forgets how those did who are gone', () => {
    const sampler = new Sampler(random());
    const pairs = ['a', 'b'].map((miner) => ({ environment: 'sat', miner }));
    for (const pair of pairs) sampler.failed(pair);
    sampler.keepOnly(new Set(['b']));
    expect(pairs.map((pair) => sampler.backOff(pair))).toEqual([0, 10]);
  });

  it('forgives without end, and puts back only so far', () => {
    const sampler = new Sampler(random());
    const pair = { environment: 'sat', miner: 'a' };
    sampler.answered(pair);
    expect(sampler.backOff(pair)).toBe(0);
    for (let at = 0; at < 500; at++) sampler.failed(pair);
    expect(sampler.backOff(pair)).toBe(1_000);
  });

  it('chooses nothing out of nothing', () => {
    const sampler = new Sampler(random());
    expect(sampler.pick([], MINERS)).toBeUndefined();
    expect(sampler.pick(ENVIRONMENTS, [])).toBeUndefined();
  });
});
