import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everySecond } from '../../../../../src-main/subnets/omega/focus/rules/every-second.ts';
import type { FocusFacts } from '../../../../../src-main/subnets/omega/focus/rules/facts.ts';
import { type RulesScore, scoreByRules } from '../../../../../src-main/subnets/omega/focus/score-by-rules.ts';
import { sentence } from '../../../../../src-preload/contract/saying.ts';
import { FAKES, factsOf, HONEST, shownAgain } from '../../../../support/focus-zoo.ts';

const broken = ({ findings }: RulesScore) =>
  findings.flatMap(({ rule, outcome }) => (outcome === 'failed' ? [rule] : []));
const SEEDS = ['a', 'b', 'c', 'd', 'e'];
const [writing] = HONEST;
if (!writing) throw new Error('The zoo is empty.');

describe('scoreByRules', () => {
  it.each(HONEST.flatMap((track) => SEEDS.map((seed) => ({ ...track, seed }))))('lets pass: $name ($seed)', (track) => {
    for (const told of [true, false]) {
      const score = scoreByRules(factsOf(track, { told, seed: track.seed, minutes: 12 }));
      expect(broken(score)).toEqual([]);
      expect(score.score).toBeGreaterThan(0.4);
    }
  });

  it.each(FAKES.flatMap((track) => SEEDS.map((seed) => ({ ...track, seed }))))('finds: $name ($seed)', (track) => {
    const score = scoreByRules(factsOf(track, { seed: track.seed, minutes: 12 }));
    expect(broken(score)).toContain(track.rule);
    expect(score.score).toBe(0);
  });

  it('finds a film, slides, a loop and an empty chair also where nobody tells of keys and mouse', () => {
    const silent = FAKES.filter(({ rule }) => rule !== 'jiggler');
    const found = silent.map((track) => broken(scoreByRules(factsOf(track, { told: false, minutes: 12 }))));
    expect(found.map((rules, index) => rules.includes(silent[index]?.rule as never))).toEqual(silent.map(() => true));
    const jiggled = scoreByRules(factsOf(writing, { told: false }));
    expect(jiggled.findings.find(({ rule }) => rule === 'jiggler')).toMatchObject({ outcome: 'unknown' });
  });

  it('says whose word it is how long somebody was at work: that of keys and mouse, or of the picture alone', () => {
    const said = (told: boolean) => {
      const { findings } = scoreByRules(factsOf(writing, { told }));
      const reason = findings.find(({ rule }) => rule === 'work')?.reason;
      return reason && sentence(reason);
    };
    expect(said(true)).toMatch(/^Somebody was at work in \d+ of \d+ seconds\.$/);
    expect(said(false)).toContain('as far as the picture tells: keys and mouse were not counted');
  });

  const change = (with_: (facts: FocusFacts) => Partial<FocusFacts>) => {
    const facts = factsOf(writing);
    return scoreByRules({ ...facts, ...with_(facts) });
  };

  it('refuses what is too short, too long, not as it was signed, or faster than the clock', () => {
    expect(broken(change(() => ({ activeMs: 59_999 })))).toEqual(['length']);
    expect(broken(change(() => ({ activeMs: 91 * 60_000 })))).toEqual(['length']);
    expect(broken(change(() => ({ chain: { chunks: 9, brokenAt: 4 } })))).toEqual(['chain']);
    const lapse = ({ seconds }: FocusFacts) => ({
      seconds: seconds.map((one) => ({ ...one, activeMs: one.activeMs * 2 })),
    });
    expect(broken(change(lapse))).toEqual(['clock']);
    const late = ({ seconds }: FocusFacts) => ({
      seconds: seconds.map((one) => ({ ...one, at: one.at + 60_000 * Number(one.activeMs > 90_000) })),
    });
    expect(broken(change(late))).toEqual([]);
  });

  it('counts what stood still although nothing came of it', () => {
    const facts = factsOf(writing, { minutes: 3 });
    const [first] = facts.seconds;
    const last = facts.seconds.at(-1);
    if (!first || !last) throw new Error('Nothing was recorded.');
    const { findings } = scoreByRules({ ...facts, seconds: [first, last] });
    expect(findings.find(({ rule }) => rule === 'work')).toMatchObject({
      outcome: 'failed',
      reason: { params: { total: 180 } },
    });
  });

  it('gives nothing for chunks of no length, whatever they claim', () => {
    const facts = factsOf(writing, { minutes: 1 });
    const seconds = facts.seconds.slice(0, 1).flatMap((first) =>
      Array.from({ length: 500 }, (_, index) => {
        return { ...first, activeMs: 60_000, at: facts.startedAt + Math.round(index * 1.6) };
      }),
    );
    expect(broken(scoreByRules({ ...facts, seconds }))).toContain('clock');

    const chair = FAKES.find(({ rule }) => rule === 'work');
    if (!chair) throw new Error('The zoo has no chair.');
    const empty = factsOf(chair, { minutes: 6 });
    const padded = empty.seconds.flatMap((one, index) =>
      Array.from({ length: index === 0 ? 401 : 1 }, () => ({ ...one, keys: 5, ...(index > 0 && { keys: 0 }) })),
    );
    const score = scoreByRules({ ...empty, seconds: padded });
    expect(broken(score)).toEqual(['work']);
    expect(score.findings.find(({ rule }) => rule === 'work')).toMatchObject({ reason: { params: { total: 360 } } });
  });

  it('lets pass what comes late from its beginning on, and cannot tell where the clock was put back', () => {
    const facts = factsOf(writing, { minutes: 2 });
    const { startedAt } = facts;
    const away = facts.seconds.map((one) => ({ ...one, at: Math.max(one.at, startedAt + 6_500) }));
    expect(broken(scoreByRules({ ...facts, seconds: away }))).toEqual([]);

    const clockOf = (seconds: FocusFacts['seconds']) =>
      scoreByRules({ ...facts, seconds }).findings.find(({ rule }) => rule === 'clock')?.outcome;
    const putBack = facts.seconds.map((one) => ({ ...one, at: one.at - 3_600_000 * Number(one.activeMs > 50_000) }));
    expect(clockOf(putBack)).toBe('unknown');
    expect(scoreByRules({ ...facts, seconds: putBack }).score).toBeGreaterThan(0.4);
    const atOnce = facts.seconds.map((one) => ({ ...one, at: one.at - 3_600_000 }));
    expect(clockOf(atOnce)).toBe('unknown');
    const fastBefore = putBack.map((one) => ({ ...one, at: one.activeMs > 50_000 ? one.at : startedAt }));
    expect(clockOf(fastBefore)).toBe('failed');
  });

  it.each([75.3, 75.5, 75.7, 300.3, 600.3, 900.5])('finds what comes again every %f seconds', (period) => {
    for (const honest of HONEST.filter(({ name }) => name !== 'slow thinking, little typing')) {
      const once = factsOf(honest, { minutes: 16 }).seconds;
      const facts = factsOf(writing, { minutes: Math.max(12, Math.ceil(period / 20)) });
      const seconds = facts.seconds.map((one, index) => ({
        ...one,
        motion: once[Math.floor(index % period)]?.motion ?? 0,
      }));
      expect(broken(scoreByRules({ ...facts, seconds })), honest.name).toContain('loop');
    }
  });

  it('counts as many seconds as there are, in however many chunks they came', () => {
    const facts = factsOf(writing, { minutes: 3 });
    const [first] = facts.seconds;
    if (!first) throw new Error('Nothing was recorded.');
    const ending = (endMs: readonly number[]) =>
      everySecond(endMs.map((activeMs) => ({ ...first, activeMs, at: facts.startedAt + activeMs, keys: 1 })));
    const every = (ms: number) => Array.from({ length: Math.floor(60_000 / ms) }, (_, index) => (index + 1) * ms);
    for (const ms of [1, 40, 250, 333, 700, 999, 1_003, 1_250, 1_500, 2_000, 7_000]) {
      const seconds = ending(every(ms));
      expect(Math.abs(seconds.length - 60), `${ms} ms`).toBeLessThanOrEqual(ms > 3_000 ? 4 : 1);
      expect(seconds.reduce((sum, { keys }) => sum + (keys ?? 0), 0)).toBe(every(ms).length);
    }
    // Those that end amid a second keep one each, although none ends when the one before would have it.
    const amid = ending(Array.from({ length: 60 }, (_, index) => index * 1_000 + 500 + (index % 3)));
    expect(amid.slice(1).every(({ keys }) => keys === 1)).toBe(true);
    // A little longer than a second: the picture moved all the time.
    expect(ending(every(1_400)).every(({ motion }) => motion === first.motion)).toBe(true);
  });

  it('finds what was recorded before: whole, cut, and encoded again; and nothing in work with the same programs', () => {
    const all = HONEST.map((track) => factsOf(track, { minutes: 20 }));
    for (const facts of all) {
      const known = [{ title: 'Before', seconds: facts.seconds }];
      expect(broken(scoreByRules({ ...shownAgain(facts), known }))).toEqual(['copy']);
      expect(broken(scoreByRules({ ...shownAgain(facts, { from: 900, to: 1_080, bits: 2 }), known }))).toEqual([
        'copy',
      ]);
      const others = all.filter((one) => one !== facts).map(({ seconds }) => ({ title: 'Other', seconds }));
      expect(broken(scoreByRules({ ...facts, known: others }))).toEqual([]);
    }
  });

  it('tells in words what each rule found', () => {
    const told = scoreByRules(factsOf(writing)).findings.map(({ reason }) => sentence(reason));
    expect(told).toContain('Nothing in it is repeated.');
    expect(told.every((text) => /^[A-Z].*\.$/.test(text))).toBe(true);
  });

  it('never throws, is between 0 and 1, and takes no more than a moment at the longest', () => {
    const count = fc.option(fc.nat(1_000), { nil: null });
    const second = fc.record({
      ...{ at: fc.nat(), activeMs: fc.nat(6_000_000), motion: fc.nat(2_304) },
      ...{ keys: count, clicks: count, moves: count, idleMs: count, picture: fc.constantFrom(null, 'f'.repeat(16)) },
    });
    fc.assert(
      fc.property(fc.array(second, { maxLength: 300 }), fc.nat(6_000_000), (seconds, activeMs) => {
        const { score } = scoreByRules({
          seconds,
          activeMs,
          startedAt: 0,
          chain: { chunks: seconds.length, brokenAt: null },
        });
        return score >= 0 && score <= 1;
      }),
      { numRuns: 200 },
    );
    const steady = factsOf({ name: 'steady', second: () => ({ motion: 500 }) }, { minutes: 90 });
    expect(broken(scoreByRules(steady))).toContain('playback');
    expect(broken(scoreByRules(steady))).not.toContain('loop');
  });
});
