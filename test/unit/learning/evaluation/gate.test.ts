import { describe, expect, it } from 'vitest';
import { decide, type GateRules, type Measured } from '../../../../src-main/learning/evaluation/gate/gate.ts';
import { pairedGain } from '../../../../src-main/learning/evaluation/gate/paired.ts';
import type { Soundness } from '../../../../src-main/learning/evaluation/measures/soundness.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';

const full: GateRules = { form: 'full', concernsLength: false };
const quick: GateRules = { form: 'quick', concernsLength: false };

/** The first so many of all. */
const first = (count: number, of: number) => Array.from({ length: of }, (_, at) => at < count);
const facts = (right: number, of: number) =>
  Object.fromEntries(first(right, of).map((is, at) => [`fact: ${at}`, is ? 1 : 0] as const));
const SOUND: Soundness = { sentences: 2, words: 20, empty: 0, ended: 1, circling: 0, plausibility: -1 };
const HEALTHY = { entropy: 1.8, selfRouge: 0.4, meanLogprob: -1, words: 36, sentences: 2 };

const BEFORE: Measured = { passes: first(2, 20), capability: facts(22, 32), answers: SOUND, collapse: HEALTHY };
const LEARNT: Measured = { ...BEFORE, passes: first(18, 20) };

function reason(before: Measured, after: Measured, rules = full): string {
  return sentence(decide(before, after, rules).reason);
}

describe('a model that has learnt', () => {
  it('is kept where more answers are as they were wanted, and nothing was lost', () => {
    const decision = decide(BEFORE, LEARNT, full);
    expect(decision).toMatchObject({ accepted: true, capabilityRatio: 1 });
    expect(decision.checks.map(({ name }) => name)).toEqual([
      'compliance',
      'facts',
      'answers',
      'lengths',
      'plausible',
      'collapse',
    ]);
    expect(sentence(decision.reason)).toContain('90');
  });

  it('is not where nothing was gained, or too little to be sure', () => {
    expect(reason(BEFORE, BEFORE)).toMatch(/No more answers/);
    expect(reason(BEFORE, { ...BEFORE, passes: first(5, 20) })).toMatch(/Too few more/);
    expect(decide(BEFORE, { ...BEFORE, passes: first(8, 20) }, full).accepted).toBe(true);
  });

  it('has nothing to learn where answers were as wanted', () => {
    expect(reason({ ...BEFORE, passes: first(20, 20) }, { ...BEFORE, passes: first(20, 20) })).toMatch(
      /nothing to learn/,
    );
  });

  it('may be wrong once more, and not twice', () => {
    const with_ = (right: number): Measured => ({ ...LEARNT, capability: facts(right, 32) });
    expect(decide(BEFORE, with_(21), full).accepted).toBe(true);
    expect(decide(BEFORE, with_(20), full).accepted).toBe(false);
    expect(reason(BEFORE, with_(20))).toMatch(/forgotten: of 32 facts it knew 22 and knows 20/);
    // Of few that were right none may go.
    expect(decide({ ...BEFORE, capability: facts(4, 5) }, { ...LEARNT, capability: facts(3, 5) }, full).accepted).toBe(
      false,
    );
    expect(decide({ ...BEFORE, capability: facts(0, 5) }, { ...LEARNT, capability: facts(0, 5) }, full)).toMatchObject({
      accepted: true,
      capabilityRatio: 1,
    });
  });
});

describe('collapses that were seen', () => {
  it('facts fell from 4 to 0 while entropy and ROUGE stayed', () => {
    const after: Measured = { ...BEFORE, passes: first(12, 20), capability: facts(0, 5) };
    const decision = decide({ ...BEFORE, capability: facts(4, 5) }, after, full);
    expect(decision.checks.find(({ name }) => name === 'collapse')?.passes).toBe(true);
    expect(decision.accepted).toBe(false);
    expect(sentence(decision.reason)).toMatch(/forgotten/);
  });

  it('gibberish that passes its verifier: implausible to the model as it was', () => {
    const after: Measured = { ...LEARNT, answers: { ...SOUND, plausibility: -6 } };
    expect(reason(BEFORE, after)).toMatch(/gibberish/);
  });

  it.each<[string, Partial<Soundness>, RegExp]>([
    ['answers that go round in circles', { circling: 0.6 }, /in circles/],
    ['answers that say nothing', { empty: 0.5 }, /say nothing/],
    ['answers without end', { ended: 0.4 }, /to their end/],
  ])('%s', (_, answers, expected) => {
    expect(reason(BEFORE, { ...LEARNT, answers: { ...SOUND, ...answers } })).toMatch(expected);
  });

  it.each([
    [{ ...HEALTHY, entropy: 0.9 }, /entropy/],
    [{ ...HEALTHY, selfRouge: 0.9 }, /same each time/],
    [{ ...HEALTHY, meanLogprob: -3.5 }, /drifted/],
    [{ ...HEALTHY, words: 5 }, /length was not/],
    [{ ...HEALTHY, sentences: 12 }, /length was not/],
  ])('an alarm: %o', (collapse, expected) => expect(reason(BEFORE, { ...LEARNT, collapse })).toMatch(expected));

  it('samples that were as alike before are no alarm', () => {
    const alike = { ...HEALTHY, selfRouge: 0.9 };
    expect(decide({ ...BEFORE, collapse: alike }, { ...LEARNT, collapse: alike }, full).accepted).toBe(true);
  });
});

it('answers may become short where that was wanted', () => {
  const short = { ...LEARNT, collapse: { ...HEALTHY, words: 6, sentences: 1 } };
  expect(decide(BEFORE, short, { ...full, concernsLength: true }).accepted).toBe(true);
  expect(decide(BEFORE, short, full).accepted).toBe(false);
});

describe('the quick look', () => {
  const of = (count: number): Measured => ({
    ...BEFORE,
    passes: first(count, 5),
    capability: facts(7, 8),
    collapse: undefined,
  });
  it('is passed by four of five, and by nothing less', () => {
    expect(decide(of(0), of(4), quick).accepted).toBe(true);
    expect(decide(of(0), of(3), quick).accepted).toBe(false);
    expect(decide(of(1), of(5), quick).accepted).toBe(true);
    expect(decide(of(0), { ...of(5), capability: facts(4, 8) }, quick).accepted).toBe(false);
  });
});

describe('a gain of few questions', () => {
  it('lies within its interval', () => {
    expect(pairedGain(first(0, 5), first(5, 5))).toMatchObject({ gain: 1, before: 0, after: 1, high: 1 });
    expect(pairedGain(first(0, 5), first(5, 5)).low).toBeCloseTo(0.386, 2);
    expect(pairedGain(first(2, 5), first(3, 5)).low).toBeLessThan(0);
  });

  it('is surer of the same questions that went one way than of some that went back', () => {
    const oneWay = pairedGain(first(10, 20), first(14, 20));
    const back = pairedGain(first(10, 20), first(14, 20).toReversed());
    expect(oneWay.gain).toBeCloseTo(back.gain);
    expect(oneWay.low).toBeGreaterThan(back.low);
  });
});
