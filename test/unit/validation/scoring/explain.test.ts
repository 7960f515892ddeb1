import { describe, expect, it } from 'vitest';
import { explain, explainSets } from '../../../../src-main/validation/scoring/explain.ts';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import { PRESETS, type Preset } from '../../../../src-main/validation/scoring/presets.ts';
import { weigh } from '../../../../src-main/validation/scoring/weights.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const SEPTEMBER_3 = PRESETS.find(({ name }) => name === '2025-09-03')!;

const contender = (miner: string, since: number, [sat, hvm]: [number, number], count = 1_000): Contender => ({
  ...{ miner, since },
  samples: new Map([
    ['sat', { count, mean: sat, meanSquare: sat }],
    ['hvm', { count, mean: hvm, meanSquare: hvm }],
  ]),
});

async function why(miner: string, contenders: Contender[], burn = 0): Promise<string[]> {
  const environments = ['sat', 'hvm'];
  const scoring = await weigh(contenders, { environments, preset: SEPTEMBER_3, layers: 'growing', burn });
  const weighed = scoring.miners.find((one) => one.miner === miner)!;
  return explain(weighed, scoring).map(sentence);
}

const A = contender('a', 100, [0.9, 0.2]);
const B = contender('b', 200, [0.8, 0.3]);
const C = contender('c', 300, [0.9, 0.2]);

it('says what was won, the most first, and by whom where nothing was', async () => {
  expect(await why('a', [A, B, C])).toEqual([
    'It wins SAT, HVM: there it dominates 1 of 2 others.',
    'It wins SAT: there it dominates 2 of 2 others.',
  ]);
  expect(await why('b', [A, B, C], 0.25)).toEqual([
    'It wins HVM: there it dominates 2 of 2 others.',
    '25 % of all goes to nobody.',
  ]);
  expect(await why('c', [A, B, C])).toEqual(['It wins in no set of tasks: these are won by a, b.']);
});

it('says what is missing', async () => {
  const few = contender('few', 1, [1, 1], 159);
  expect(await why('few', [A, B, few])).toEqual([
    'It has too few results to take part.',
    'SAT: 1 more result is needed.',
    'HVM: 1 more result is needed.',
  ]);
  expect(await why('a', [A, few])).toEqual(['There is nobody else to be compared with.']);
  const [fewer, fewest] = [contender('fewer', 1, [0.9, 0.9], 10), contender('fewest', 2, [0.1, 0.1], 10)];
  expect((await why('fewer', [fewer, fewest]))[0]).toMatch(/Nobody has enough .* has everything meanwhile\.$/);
  expect((await why('fewest', [fewer, fewest]))[0]).toMatch(/Nobody has enough .* this one is not it/);
});

it('says whose model it names, and counts it among nobody’s others', async () => {
  const copy = { ...contender('copy', 50, [1, 1]), copyOf: 'a' };
  expect(await why('copy', [A, copy])).toEqual([
    'It names the same model as a, which committed first: of several that do, only the first has a weight.',
  ]);
  expect(await why('a', [A, copy])).toEqual(['There is nobody else to be compared with.']);
  expect((await why('b', [A, B, copy]))[0]).toBe('It wins HVM: there it dominates 1 of 1 other.');
});

describe('many sets', () => {
  const NAMES = ['abd', 'ded', 'elr', 'hvm', 'sat (easy)'];
  const able = (miner: string, since: number, means: readonly number[]): Contender => ({
    ...{ miner, since },
    samples: new Map(NAMES.map((name, at) => [name, { count: 1_000, mean: means[at]!, meanSquare: means[at]! }])),
  });
  const ofBest = async (others: Contender[], preset: Preset = SEPTEMBER_3) => {
    const best = able('best', 1, [0.9, 0.9, 0.9, 0.9, 0.9]);
    const scoring = await weigh([best, ...others], { environments: NAMES, preset, layers: 'growing', burn: 0 });
    const [weighed] = scoring.miners;
    const sentences = (of: typeof explain) => of(weighed!, scoring).map(sentence);
    return { short: sentences(explain), sets: sentences(explainSets) };
  };

  it('are told in one sentence for each size, and one by one apart', async () => {
    const { short, sets } = await ofBest([able('other', 2, [0.1, 0.1, 0.1, 0.1, 0.1])]);
    expect(short).toEqual([
      'It wins ABD, DED, ELR, HVM, SAT (easy): there it dominates 1 of 1 other.',
      'It wins 5 of the 5 sets of 4 tasks.',
      'It wins 10 of the 10 sets of 3 tasks.',
      'It wins 10 of the 10 sets of 2 tasks.',
      'Of the tasks alone it wins ABD, DED, ELR, HVM, SAT (easy).',
    ]);
    expect(sets).toHaveLength(31);
    expect(sets).toContain('It wins ABD, SAT (easy): there it dominates 1 of 1 other.');
  });

  it('are told with those that are shared', async () => {
    const { short } = await ofBest([able('other', 2, [0.1, 0.1, 0.1, 0.99, 0.99])], PRESETS[0]);
    expect(short).toEqual([
      expect.stringMatching(/^In ABD, DED, ELR, HVM, SAT \(easy\) nobody dominates it: .* \d+\.?\d? %\.$/),
      'In 5 of the 5 sets of 4 tasks nobody dominates it: it shares what they are worth.',
      'Of the 10 sets of 3 tasks it wins 1, and shares what 9 are worth.',
      'Of the 10 sets of 2 tasks it wins 3, and shares what 6 are worth.',
      'Of the tasks alone it wins ABD, DED, ELR.',
    ]);
  });

  it('are told nothing of where there is nobody else', async () => {
    expect(await ofBest([])).toEqual({ short: ['There is nobody else to be compared with.'], sets: [] });
  });
});
