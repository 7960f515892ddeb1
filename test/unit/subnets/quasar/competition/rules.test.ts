import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firstBaselines, nextBaselines } from '../../../../../src-main/subnets/quasar/competition/rules/baselines.ts';
import { untilBlock } from '../../../../../src-main/subnets/quasar/competition/rules/blocks.ts';
import { commitmentOf, submissionId } from '../../../../../src-main/subnets/quasar/competition/rules/commitment.ts';
import { artefactKey, copiesIn } from '../../../../../src-main/subnets/quasar/competition/rules/copies.ts';
import { LEAGUES, leagueOf, multiplierOf } from '../../../../../src-main/subnets/quasar/competition/rules/leagues.ts';
import { type Judged, rank, withPlaces } from '../../../../../src-main/subnets/quasar/competition/rules/ranking.ts';
import { judgingSeed, seedHash } from '../../../../../src-main/subnets/quasar/competition/rules/seeds.ts';
import { sharesOf } from '../../../../../src-main/subnets/quasar/competition/rules/shares.ts';
import { type Verdict, verdictSchema } from '../../../../../src-main/subnets/quasar/competition/rules/verdict.ts';

const right = (median: number, low = median - 0.01): Verdict => ({
  right: true,
  ratio: { median, low, high: median + 0.01, pairs: 20 },
  tokensPerSecond: median * 1_000,
  baselineTokensPerSecond: 1_000,
});
const WRONG: Verdict = { right: false, fault: 'numbers', reason: { key: 'x' } };

let made = 0;
/** A judged submission of 300,000 tokens, where a speed counts as it is. */
function judged(changes: Partial<Judged> = {}): Judged {
  const number = ++made;
  const about = { id: `${number}`.padStart(32, '0'), number, hotkey: `hotkey ${number}`, track: 'kernel' as const };
  return { ...about, sha256: `${number}`.padStart(64, '0'), tokens: 300_000, verdict: right(1.5), ...changes };
}
const hotkeysOf = (ranked: readonly { hotkey: string }[]) => ranked.map(({ hotkey }) => hotkey);

describe('leagues', () => {
  it('are ten, with the multipliers of the sheet', () => {
    expect(LEAGUES.map(({ from }) => from)).toEqual(Array.from({ length: 10 }, (_, at) => (at + 1) * 100_000));
    expect(LEAGUES.map(({ multiplier }) => multiplier)).toEqual([0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3]);
  });

  it.each([
    [100_000, 100_000],
    [150_000, 100_000],
    [199_999, 100_000],
    [200_000, 200_000],
    [999_999, 900_000],
    [1_000_000, 1_000_000],
  ])('%i tokens reach the league of %i', (tokens, league) => expect(leagueOf(tokens)).toBe(league));

  it.each([0, 99_999, 1_000_001, Number.NaN, -100_000])('%d tokens are in none', (tokens) =>
    expect(() => leagueOf(tokens)).toThrow(RangeError),
  );

  it('count by their multiplier', () => expect([multiplierOf(100_000), multiplierOf(1_000_000)]).toEqual([0.5, 3]));
});

describe('a commitment', () => {
  const committed = {
    ...{ hotkey: '5Grw', track: 'kernel' as const, sha256: 'a'.repeat(64), tokens: 150_000, round: 3 },
    salt: 'b'.repeat(64),
  };

  it('is SHA-256 of a tag and RFC 8785 JSON, as anybody can write it', () => {
    const text = `quarry-commitment-1\n{"hotkey":"5Grw","round":3,"salt":"${'b'.repeat(64)}","sha256":"${'a'.repeat(64)}","tokens":150000,"track":"kernel"}`;
    expect(commitmentOf(committed)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it.each([
    ['hotkey', { hotkey: '5Grx' }],
    ['artefact', { sha256: 'c'.repeat(64) }],
    ['tokens', { tokens: 150_001 }],
    ['round', { round: 4 }],
    ['salt', { salt: 'c'.repeat(64) }],
  ])('is another one with another %s', (_, change) =>
    expect(commitmentOf({ ...committed, ...change })).not.toBe(commitmentOf(committed)),
  );

  it('has an id that nobody chooses: of server, hotkey and commitment', () => {
    const of = { server: 's', hotkey: 'h', commitment: 'c' };
    expect(submissionId(of)).toMatch(/^[0-9a-f]{32}$/);
    const ids = [of, { ...of, server: 'x' }, { ...of, hotkey: 'x' }, { ...of, commitment: 'x' }].map(submissionId);
    expect(new Set(ids).size).toBe(4);
  });
});

it('a round’s seed is bound by its hash, and each submission has one of its own out of it', () => {
  const seed = randomBytes(32);
  const hex = seed.toString('hex');
  expect(seedHash(hex)).toBe(createHash('sha256').update(seed).digest('hex'));
  const own = createHash('sha256').update(seed).update('ab'.repeat(16)).digest('hex');
  expect(judgingSeed(hex, 'ab'.repeat(16))).toBe(own);
  expect(judgingSeed(hex, 'ac'.repeat(16))).not.toBe(own);
});

it('blocks are told with about how long they take', () => {
  expect(untilBlock(1_100, 1_050)).toEqual({ blocks: 50, ms: 600_000 });
  expect(untilBlock(1_100, 1_200)).toEqual({ blocks: 0, ms: 0 });
});

describe('an artefact', () => {
  const revealed = (number: number, hotkey: string, sha256: string, tokens = 300_000) => ({
    ...{ id: `id ${number}`, number, hotkey, sha256, tokens },
    track: 'kernel' as const,
  });

  it('is of who committed to it first, whoever reveals first', () => {
    const copies = copiesIn([revealed(7, 'thief', 'a'), revealed(3, 'ann', 'a'), revealed(5, 'bob', 'b')], new Map());
    expect([...copies]).toEqual([['id 7', 'copied']]);
  });

  it('counts in several leagues, and once in each', () => {
    const round = [revealed(1, 'ann', 'a'), revealed(2, 'ann', 'a', 400_000), revealed(3, 'ann', 'a', 350_000)];
    expect([...copiesIn(round, new Map())]).toEqual([['id 3', 'repeated']]);
  });

  it('of an earlier round is still of who had it then, who may enter it again', () => {
    const firsts = new Map([[artefactKey({ track: 'kernel', sha256: 'a' }), 'ann']]);
    const copies = copiesIn([revealed(10, 'thief', 'a', 500_000), revealed(11, 'ann', 'a')], firsts);
    expect([...copies]).toEqual([['id 10', 'copied']]);
  });
});

describe('a ranking', () => {
  it('is by measured speed beside the baseline times the league’s multiplier', () => {
    const small = judged({ verdict: right(2) }); // 2 × 1
    const large = judged({ tokens: 1_000_000, verdict: right(1.2) }); // 1.2 × 3
    const smallest = judged({ tokens: 100_000, verdict: right(3) }); // 3 × 0.5
    expect(rank([small, large, smallest]).map(({ weighted }) => weighted)).toEqual([
      expect.closeTo(3.6),
      expect.closeTo(2),
      expect.closeTo(1.5),
    ]);
  });

  it('has nobody whose interval does not clear 1.02, however high its league, and nobody who is wrong', () => {
    const lucky = judged({ tokens: 1_000_000, verdict: right(1.3, 0.99) });
    const edge = judged({ verdict: right(1.2, 1) });
    const copy = judged({ tokens: 1_000_000, verdict: right(1.024, 1.0199) }); // its equal, which was there first
    expect(rank([lucky, edge, copy, judged({ verdict: WRONG })])).toEqual([]);
    expect(rank([judged({ verdict: right(1.024, 1.021) })])).toHaveLength(1);
  });

  it('has nowhere what is wrong in one league', () => {
    const lucky = judged({ sha256: 'a'.repeat(64), verdict: right(2) });
    const unlucky = judged({ ...lucky, id: 'another', tokens: 500_000, verdict: WRONG });
    expect(rank([lucky, unlucky])).toEqual([]);
  });

  it('has of equals first who committed first', () => {
    const early = judged({ hotkey: 'early', verdict: right(1.97) });
    const late = judged({ hotkey: 'late', verdict: right(2) });
    expect(hotkeysOf(rank([late, early]))).toEqual(['early', 'late']);
    const slower = { ...early, verdict: right(1.95) }; // 2.5 % less
    expect(hotkeysOf(rank([late, slower]))).toEqual(['late', 'early']);
  });

  it('is one order also where equals form a chain, whatever order they come in', () => {
    const [first, second, third] = [1.94, 1.97, 2].map((median, at) =>
      judged({ hotkey: `${at}`, number: 900 + at, verdict: right(median) }),
    ) as [Judged, Judged, Judged];
    // The fastest has one equal, which is earlier; of what is left the slowest is an equal of neither but comes last.
    for (const order of [
      [first, second, third],
      [third, second, first],
      [second, third, first],
    ]) {
      expect(hotkeysOf(rank(order))).toEqual(['1', '2', '0']);
    }
  });

  it('has a hotkey once in each league, with its best, and as early as its equals', () => {
    const ann = { hotkey: 'ann' };
    const [a, b] = [judged({ ...ann, verdict: right(1.4) }), judged({ ...ann, verdict: right(1.8) })];
    const c = judged({ ...ann, tokens: 500_000, verdict: right(1.1) });
    expect(rank([a, b, c]).map(({ id }) => id)).toEqual([b.id, c.id]);
    const early = judged({ ...ann, verdict: right(2) });
    const between = judged({ hotkey: 'bob', verdict: right(2.01) });
    const better = judged({ ...ann, verdict: right(2.02) });
    expect(hotkeysOf(rank([early, between, better]))).toEqual(['ann', 'bob']);
  });
});

describe('shares', () => {
  const ranked = (...hotkeys: string[]) =>
    rank(hotkeys.map((hotkey, at) => judged({ hotkey, tokens: 900_000 - at * 100_000, verdict: right(2) })));

  it('are 60, 25, 10 and 5 % of the pot, for four hotkeys', () => {
    const { shares, unclaimed } = sharesOf(ranked('a', 'b', 'c', 'd', 'e'), 0, 'burnt');
    expect(shares.map(({ hotkey, share }) => [hotkey, share])).toEqual([
      ['a', 6_000],
      ['b', 2_500],
      ['c', 1_000],
      ['d', 500],
    ]);
    expect(unclaimed).toBe(0);
  });

  it('share it alike by track, where there are two in which somebody beat the baseline', () => {
    const gpu = judged({ hotkey: 'a', track: 'gpu', verdict: right(40) });
    const both = rank([gpu, judged({ hotkey: 'b', verdict: right(2) }), judged({ hotkey: 'a', verdict: right(1.5) })]);
    expect(hotkeysOf(both)).toEqual(['b', 'a', 'a']);
    expect(withPlaces(both).map(({ place }) => place)).toEqual([1, 2, 1]);
    const { shares, unclaimed } = sharesOf(both, 1, 'burnt');
    expect(shares.map(({ hotkey, place, share }) => [hotkey, place, share])).toEqual([
      ['b', 1, 3_000],
      ['a', 2, 1_250],
      ['a', 1, 3_000],
    ]);
    expect(unclaimed).toBe(2_751);
  });

  it('are one for a hotkey, of its best place', () => {
    const { shares } = sharesOf(ranked('a', 'a', 'b', 'a', 'c'), 0, 'burnt');
    expect(shares.map(({ hotkey, place }) => [hotkey, place])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('that nobody won are burnt, or carried into the next pot', () => {
    expect(sharesOf(ranked('a'), 0, 'burnt')).toMatchObject({ unclaimed: 4_000, carried: 0 });
    expect(sharesOf(ranked('a'), 0, 'carried')).toMatchObject({ unclaimed: 4_000, carried: 4_000 });
    const next = sharesOf(ranked('a', 'b', 'c', 'd'), 4_001, 'carried');
    expect(next).toMatchObject({
      pot: 14_001,
      shares: [{ share: 8_400 }, { share: 3_500 }, { share: 1_400 }, { share: 700 }],
    });
    expect(next.carried).toBe(1);
  });
});

it('the fastest is the next baseline of all leagues, whichever it stood in; where nobody was faster, it stays', () => {
  const all = firstBaselines({ kernel: 'f'.repeat(64), gpu: 'e'.repeat(64) });
  const now = all.filter(({ track }) => track === 'kernel');
  const [fastest, first] = [
    judged({ verdict: right(2), tokens: 300_000 }),
    judged({ verdict: right(1.2), tokens: 1_000_000 }),
  ];
  const ranked = rank([first, fastest]);
  expect(ranked.map(({ id }) => id)).toEqual([first.id, fastest.id]);
  const next = nextBaselines(now, ranked, now);
  expect(next).toHaveLength(10);
  expect(new Set(next.map(({ sha256, submission }) => `${sha256} ${submission}`))).toEqual(
    new Set([`${fastest.sha256} ${fastest.id}`]),
  );
  expect(nextBaselines(now, [], now)).toEqual(now);
  expect(nextBaselines(now, [], all)).toEqual(all); // a track that there was not before
});

it.each([
  ['an interval that is turned round', { ...right(1.5), ratio: { median: 1.5, low: 1.6, high: 1.4, pairs: 5 } }],
  ['no number', { ...right(1.5), tokensPerSecond: Number.NaN }],
  ['no pairs', { ...right(1.5), ratio: { median: 1, low: 1, high: 1, pairs: 0 } }],
  ['neither right nor wrong', { ratio: { median: 1 } }],
])('a verdict with %s is none', (_, verdict) => expect(verdictSchema.safeParse(verdict).success).toBe(false));
