import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bonusOf,
  COUNTED,
  compositeOf,
  PARTS,
  type Part,
  WEIGHTS,
} from '../../../../../src-main/subnets/quasar/reward/composite.ts';
import {
  coherenceOf,
  repeatedShare,
  scalingOf,
  type Timing,
} from '../../../../../src-main/subnets/quasar/reward/measured.ts';

const all = (value: number): Record<Part, number> => ({
  memory: value,
  position: value,
  coherence: value,
  speed: value,
  scaling: value,
});

describe('the composite', () => {
  it('has weights of 1 in all', () => {
    expect(PARTS.reduce((sum, part) => sum + WEIGHTS[part], 0)).toBeCloseTo(1, 12);
  });

  it.each([
    ['memory', 0.35],
    ['position', 0.25],
    ['coherence', 0.2],
    ['speed', 0.1],
    ['scaling', 0.1],
  ] as const)('is put together by them: of %s %d', (part, weight) => {
    expect(compositeOf({ ...all(0), [part]: 1 }, 1)).toBeCloseTo(weight, 12);
  });

  it('counts memory half up to .8 and squared above', () => {
    expect(COUNTED.memory(0.8)).toBeCloseTo(0.4, 12);
    expect(COUNTED.memory(0.81)).toBeCloseTo(0.6561, 12);
  });

  it('counts position by a fifth more, speed up to 1,000, and scaling by how much longer the long text was', () => {
    expect(COUNTED.position(0.5)).toBeCloseTo(0.6, 12);
    expect(COUNTED.position(0.9)).toBe(1);
    expect(COUNTED.speed(250)).toBeCloseTo(0.25, 12);
    expect(COUNTED.scaling(0.7, 10)).toBeCloseTo(0.7 * (1 + 0.1 * Math.log(10)), 12);
    expect(COUNTED.scaling(0.7, 0.1)).toBeCloseTo(0.7, 12);
  });

  it.each([
    [0, 1],
    [10_000, 0.9],
    [20_000, 0.8],
    [2_000_000, 0.8],
  ])('takes at most a fifth of the coherence for long contexts: of %d tokens %d is left', (tokens, left) => {
    expect(COUNTED.coherence(1, tokens)).toBeCloseTo(left, 12);
  });

  it('has a bonus for being very good at what a kind of question is to show, by the share of such questions', () => {
    const none = { memory: 0, scaling: 0, pattern: 0 };
    expect(bonusOf(all(1), none)).toBe(1);
    expect(bonusOf(all(1), { ...none, memory: 1 })).toBeCloseTo(1.1, 12);
    expect(bonusOf(all(1), { ...none, scaling: 1 })).toBeCloseTo(1.15, 12);
    expect(bonusOf(all(1), { ...none, pattern: 1 })).toBeCloseTo(1.05, 12);
    expect(bonusOf(all(1), { memory: 0.5, scaling: 0.2, pattern: 0 })).toBeCloseTo(1.08, 12);
    expect(bonusOf({ ...all(1), memory: 0.95 }, { ...none, memory: 1 })).toBe(1);
    expect(bonusOf({ ...all(1), scaling: 0.9 }, { ...none, scaling: 1 })).toBe(1);
    expect(bonusOf({ ...all(1), coherence: 0.9 }, { ...none, pattern: 1 })).toBe(1);
  });

  it('never is more than 1, and lets no part count for more than all of it', () => {
    expect(compositeOf(all(1), 1.1)).toBe(1);
    expect([COUNTED.speed(100_000), COUNTED.scaling(1, 1_000)]).toEqual([1, 1]);
  });

  it('counts what no clock can have measured as nothing', () => {
    expect(COUNTED.speed(Number.NaN)).toBe(0);
  });

  it('counts from 0 to 1 whatever was measured', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PARTS), fc.double(), fc.double(), (part, value, of) => {
        const counted = COUNTED[part](value, of);
        expect(counted).toBeGreaterThanOrEqual(0);
        expect(counted).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('coherence', () => {
  it('is half likeness and half not repeating', () => {
    expect(coherenceOf('one two three four five', 1)).toBe(1);
    expect(coherenceOf('one two three four five', 0.4)).toBeCloseTo(0.7, 12);
    expect(coherenceOf('a b c d a b c d', 0)).toBeCloseTo(0.4, 12);
    expect(coherenceOf(' ', 1)).toBe(0);
  });

  it('finds what is said again and again', () => {
    expect(repeatedShare('a b c d e f')).toBe(0);
    expect(repeatedShare('a b c')).toBe(0);
    expect(repeatedShare('a b c d a b c d')).toBeCloseTo(1 / 5, 12);
    expect(repeatedShare('A b c d a B c d')).toBeCloseTo(1 / 5, 12);
    expect(repeatedShare('word '.repeat(1_003))).toBeCloseTo(0.999, 12);
  });
});

describe('scaling', () => {
  const timing = (contextTokens: number, firstByteMs: number, lastByteMs: number): Timing => ({
    ...{ contextTokens, firstByteMs, lastByteMs },
  });

  it('is 1 where time grows with the length or slower', () => {
    expect(scalingOf(timing(1_000, 100, 200), timing(10_000, 1_000, 2_000))).toBe(1);
    expect(scalingOf(timing(1_000, 100, 200), timing(10_000, 500, 600))).toBe(1);
  });

  it('falls where it grows faster, and an early first byte does not help', () => {
    expect(scalingOf(timing(1_000, 100, 200), timing(10_000, 2_000, 4_000))).toBe(0.5);
    expect(scalingOf(timing(1_000, 100, 200), timing(10_000, 1, 4_000))).toBe(0.5);
    expect(scalingOf(timing(1_000, 100, 200), timing(10_000, 0, 0))).toBe(0);
  });
});
