import { expect, it } from 'vitest';
import { explain } from '../../../../src-main/validation/scoring/explain.ts';
import type { Contender } from '../../../../src-main/validation/scoring/field.ts';
import { PRESETS } from '../../../../src-main/validation/scoring/presets.ts';
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
    'It wins sat, hvm: there it dominates 1 of 2 others.',
    'It wins sat: there it dominates 2 of 2 others.',
  ]);
  expect(await why('b', [A, B, C], 0.25)).toEqual([
    'It wins hvm: there it dominates 2 of 2 others.',
    '25 % of all goes to nobody.',
  ]);
  expect(await why('c', [A, B, C])).toEqual(['It wins in no set of environments: these are won by a, b.']);
});

it('says what is missing', async () => {
  const few = contender('few', 1, [1, 1], 159);
  expect(await why('few', [A, B, few])).toEqual([
    'It has too few results to take part.',
    'sat: 1 more result is needed.',
    'hvm: 1 more result is needed.',
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
  expect((await why('b', [A, B, copy]))[0]).toBe('It wins hvm: there it dominates 1 of 1 other.');
});
