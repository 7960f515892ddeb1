import { describe, expect, it } from 'vitest';
import { Experience } from '../../../../src-main/mesh/asking/experience.ts';
import { type Means, meansFor, type Prospect, placeOf, sharesOf } from '../../../../src-main/mesh/asking/means.ts';
import { type Candidate, selectWorker } from '../../../../src-main/mesh/asking/selection.ts';

describe('what pays for a request', () => {
  const ways = [{ id: 'a', owed: 3 }];
  it.each<[Means, Parameters<typeof meansFor>[1]]>([
    ['claim', { owed: 4, gift: 0, ways: [] }],
    ['vouchers', { owed: 1, gift: 20, ways }],
    ['vouchers', { owed: 0, gift: 0, ways: [...ways, { id: 'b', owed: 1 }] }],
    ['word', { owed: 0, gift: 20, ways }],
    // It has served the worker: no word is heard there about it.
    ['gift', { owed: 0.5, gift: 20, ways }],
    ['gift', { owed: 0, gift: 4, ways: [] }],
    ['none', { owed: 3, gift: 3, ways: [] }],
  ])('is %s', (means, at) => {
    expect(meansFor(4, at)).toBe(means);
  });

  it('is asked of as few as it takes, of each for a few requests at once, and never for more than it owes', () => {
    const owed = (...credits: number[]) => credits.map((each, index) => ({ id: `n${index}`, owed: each }));
    expect(sharesOf(2, owed(9, 9))).toEqual([{ by: 'n0', credits: 4 }]);
    expect(sharesOf(9, owed(7, 0, 20))).toEqual([
      { by: 'n0', credits: 7 },
      { by: 'n2', credits: 4 },
    ]);
    expect(sharesOf(9, owed(1, 2))).toEqual([
      { by: 'n0', credits: 1 },
      { by: 'n1', credits: 2 },
    ]);
    expect(sharesOf(0, owed(9))).toEqual([]);
  });

  it('is the order in which workers are asked: at once before waiting, and nothing last', () => {
    const all: Means[] = ['claim', 'vouchers', 'word', 'gift'];
    const offers = [true, false].flatMap((free) => all.map((means): Prospect => ({ means, free })));
    expect(offers.map(placeOf)).toEqual([0, 0, 1, 2, 3, 3, 4, 5]);
    expect(placeOf({ means: 'none', free: true })).toBe(placeOf({ means: 'none', free: false }));
    expect(placeOf({ means: 'none', free: true })).toBeGreaterThan(5);
  });
});

describe('the choice of a worker', () => {
  const NOW = 1_000_000;
  const worker = (id: string, running = 0, waiting = 0): Candidate => ({
    id,
    rttMs: 10,
    selfReport: {
      ready: true,
      health: { score: 80, state: 'light', capacity: 100 },
      queue: { waiting, running, parallel: 1, capacity: 10 },
      models: [{ name: 'm', contextSize: 1 }],
    },
  });

  /** @param offers how a request would be paid for, by worker; they are free unless their name says that they are busy */
  function choose(offers: Record<string, Means>, known = new Experience(), tried: string[] = [], random = 0) {
    const candidates = Object.keys(offers).map((id) => worker(id, id.startsWith('busy') ? 1 : 0));
    const prospect = ({ id }: Candidate): Prospect => ({ means: offers[id] ?? 'none', free: !id.startsWith('busy') });
    return selectWorker(candidates, { model: 'm', tried: new Set(tried), prospect }, known, NOW, () => random)?.id;
  }

  function knowing(...ids: string[]): Experience {
    const known = new Experience();
    const result = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, queuedMs: 0, tokensPerSecond: 0 };
    for (const id of ids)
      known.answered(id, { ...worker(id).selfReport, loadMs: 0 }, { ...result, firstTokenMs: 10, totalMs: 10 }, NOW);
    return known;
  }

  it('goes where it is paid for best, of those that are free', () => {
    const all = { none: 'none', gift: 'gift', word: 'word', vouchers: 'vouchers', claim: 'claim' } as const;
    expect([choose(all), choose(all, new Experience(), [], 0.9)]).toEqual(['vouchers', 'claim']);
    expect(choose({ none: 'none', gift: 'gift', word: 'word', vouchers: 'vouchers' })).toBe('vouchers');
    expect(choose({ none: 'none', gift: 'gift', word: 'word' })).toBe('word');
    expect(choose({ none: 'none', gift: 'gift' })).toBe('gift');
    expect(choose({ none: 'none' })).toBe('none');
  });

  it('goes where it is served at once rather than wait where it can pay', () => {
    expect(choose({ 'busy claim': 'claim', gift: 'gift' }, knowing('busy claim', 'gift'))).toBe('gift');
    expect(choose({ 'busy claim': 'claim', 'busy gift': 'gift' })).toBe('busy claim');
  });

  it('waits at one that is known to work rather than believe a stranger that it is free', () => {
    const known = knowing('busy claim');
    for (let count = 0; count < 5; count++) known.disappointed('liar', NOW - 700_000);
    expect(choose({ 'busy claim': 'claim', liar: 'claim' }, known)).toBe('busy claim');
    expect(choose({ 'busy gift': 'gift', liar: 'claim' }, knowing('busy gift'))).toBe('liar');
  });

  it('leaves those alone that have refused the request, whatever they owe', () => {
    expect(choose({ claim: 'claim', gift: 'gift' }, new Experience(), ['claim'])).toBe('gift');
  });
});
