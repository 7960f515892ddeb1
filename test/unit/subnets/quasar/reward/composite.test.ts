import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_COMPARED } from '../../../../../src-main/subnets/quasar/metrics/metrics.ts';
import {
  compositeOf,
  type Measured,
  PARTS,
  type TaskKind,
  WEIGHTS,
} from '../../../../../src-main/subnets/quasar/reward/composite.ts';
import {
  coherenceOf,
  memoryOf,
  positionOf,
  repeatedShare,
  scalingOf,
  type Timing,
  tokensPerSecond,
} from '../../../../../src-main/subnets/quasar/reward/measured.ts';

const measured: Measured = {
  ...{ memory: 0.9, position: 0.5, coherence: 0.6, tokensPerSecond: 250, scaling: 0.7 },
  ...{ scaleFactor: 10, contextTokens: 10_000 },
};

/** All together are as good as can be. */
const perfect: Measured = {
  ...{ memory: 1, position: 1, coherence: 1, tokensPerSecond: 2_000, scaling: 1 },
  ...{ scaleFactor: 1, contextTokens: 1_000 },
};

describe('the composite', () => {
  it('has weights of 1 in all', () => {
    expect(PARTS.reduce((sum, part) => sum + WEIGHTS[part], 0)).toBeCloseTo(1, 12);
  });

  it('is put together by them', () => {
    const { counted, bonus, total } = compositeOf('memory', measured);
    expect(counted.memory).toBeCloseTo(0.81, 12);
    expect(counted.position).toBeCloseTo(0.6, 12);
    expect(counted.coherence).toBeCloseTo(0.54, 12);
    expect(counted.speed).toBeCloseTo(0.25, 12);
    expect(counted.scaling).toBeCloseTo(0.7 * (1 + 0.1 * Math.log(10)), 12);
    expect(bonus).toBe(1);
    const sum = 0.35 * 0.81 + 0.25 * 0.6 + 0.2 * 0.54 + 0.1 * 0.25 + 0.07 * (1 + 0.1 * Math.log(10));
    expect(total).toBeCloseTo(sum, 12);
  });

  it('counts memory half up to .8 and squared above', () => {
    expect(compositeOf('memory', { ...measured, memory: 0.8 }).counted.memory).toBeCloseTo(0.4, 12);
    expect(compositeOf('memory', { ...measured, memory: 0.81 }).counted.memory).toBeCloseTo(0.6561, 12);
  });

  it('takes at most a fifth of the coherence for long contexts', () => {
    for (const [contextTokens, left] of [
      [0, 1],
      [10_000, 0.9],
      [20_000, 0.8],
      [2_000_000, 0.8],
    ] as const) {
      expect(compositeOf('memory', { ...perfect, contextTokens }).counted.coherence).toBeCloseTo(left, 12);
    }
  });

  it.each([
    ['memory', { memory: 0.96 }, 1.1],
    ['memory', { memory: 0.95 }, 1],
    ['scaling', { scaling: 0.91 }, 1.15],
    ['scaling', { scaling: 0.9 }, 1],
    ['pattern', { coherence: 0.91 }, 1.05],
    ['pattern', { coherence: 0.9, memory: 1, scaling: 1 }, 1],
  ] as const)('has a bonus for a task of %s with %o: %d', (kind, of, bonus) => {
    expect(compositeOf(kind, { ...measured, ...of }).bonus).toBe(bonus);
  });

  it('is 0 where nothing was answered, and never more than 1', () => {
    expect(compositeOf('memory', undefined).total).toBe(0);
    expect(compositeOf('memory', perfect).total).toBe(1);
  });

  it('lets no part count for more than all of it: nobody makes up by speed for what was forgotten', () => {
    const lopsided = { ...perfect, memory: 0, coherence: 0, tokensPerSecond: 100_000, scaleFactor: 1_000 };
    const { counted, total } = compositeOf('memory', lopsided);
    expect(counted).toEqual({ memory: 0, position: 1, coherence: 0, speed: 1, scaling: 1 });
    expect(total).toBeCloseTo(0.45, 12);
  });

  it('takes nothing off for a long context that was none', () => {
    expect(compositeOf('memory', { ...measured, scaleFactor: 0.1 }).counted.scaling).toBeCloseTo(0.7, 12);
  });

  it('counts what no clock can have measured as nothing', () => {
    const { counted, total } = compositeOf('memory', { ...measured, tokensPerSecond: Number.NaN });
    expect(counted.speed).toBe(0);
    expect(total).toBeGreaterThan(0.5);
  });

  it('is from 0 to 1 for whatever was measured', () => {
    const any = fc.double();
    const all = fc.record({
      ...{ memory: any, position: any, coherence: any, tokensPerSecond: any, scaling: any },
      ...{ scaleFactor: any, contextTokens: any },
    });
    fc.assert(
      fc.property(fc.constantFrom<TaskKind>('memory', 'scaling', 'pattern'), all, (kind, of) => {
        const { total } = compositeOf(kind, of);
        expect(total).toBeGreaterThanOrEqual(0);
        expect(total).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('memory', () => {
  it('is the share of what was asked for', () => {
    expect(memoryOf([{ isFound: true }, { isFound: false }, { isFound: true }, { isFound: true }])).toBe(0.75);
    expect(memoryOf([])).toBe(0);
  });
});

describe('position', () => {
  const depths = [0.05, 0.3, 0.5, 0.7, 0.95];

  it('is right within a tenth of the context', () => {
    expect(positionOf([{ trueDepth: 0.3, saidDepth: 0.39 }])).toBe(1);
    expect(positionOf([{ trueDepth: 0.3, saidDepth: 0.41 }])).toBe(0);
    expect(positionOf([{ trueDepth: 0.5, saidDepth: 0.599 }])).toBe(1);
    expect(positionOf([{ trueDepth: 0.5, saidDepth: 0.401 }])).toBe(1);
    expect(positionOf([{ trueDepth: 0.3, saidDepth: null }])).toBe(0);
  });

  it('is worth a fifth to whoever always says «in the middle»', () => {
    expect(positionOf(depths.map((trueDepth) => ({ trueDepth, saidDepth: 0.5 })))).toBeCloseTo(0.2, 12);
  });

  it('counts each fifth of the context as much, however often it was asked about', () => {
    const asked = [0.1, 0.12, 0.14, 1].map((trueDepth) => ({ trueDepth, saidDepth: trueDepth === 1 ? 1 : null }));
    expect(positionOf(asked)).toBe(0.5);
    const ofTwoFifths = [0.01, 0.19, 0.9].map((trueDepth) => ({
      trueDepth,
      saidDepth: trueDepth === 0.19 ? 0.5 : trueDepth,
    }));
    expect(positionOf(ofTwoFifths)).toBe(0.75);
  });
});

describe('coherence', () => {
  it('is half likeness and half not repeating', () => {
    const reference = 'the river finds the garden in the winter';
    expect(coherenceOf(reference, reference)).toBeCloseTo(1, 7);
    expect(coherenceOf('one two three four five', reference)).toBeCloseTo(0.5, 7);
    expect(coherenceOf('', reference)).toBe(0);
  });

  it('finds what is said again and again', () => {
    expect(repeatedShare('a b c d e f')).toBe(0);
    expect(repeatedShare('a b c')).toBe(0);
    expect(repeatedShare('a b c d a b c d')).toBeCloseTo(1 / 5, 12);
    expect(repeatedShare('A b c d a B c d')).toBeCloseTo(1 / 5, 12);
    expect(repeatedShare('word '.repeat(1_003))).toBeCloseTo(0.999, 12);
    // No more of it is looked at than is compared: an answer may have megabytes.
    const beginning = Array.from({ length: 4_000 }, (_, at) => `w${at}`).join(' ');
    expect(beginning.length).toBeGreaterThan(MOST_COMPARED);
    expect(repeatedShare(beginning + ' word'.repeat(100_000))).toBe(0);
  });
});

describe('speed and scaling', () => {
  const timing = (contextTokens: number, firstByteMs: number, lastByteMs: number): Timing => ({
    ...{ contextTokens, firstByteMs, lastByteMs, answerTokens: 100 },
  });

  it('is by the whole time: an answer that is held back and sent at once is not faster', () => {
    expect(tokensPerSecond(timing(1_000, 100, 2_000))).toBe(50);
    expect(tokensPerSecond(timing(1_000, 1_999, 2_000))).toBe(50);
    expect(tokensPerSecond(timing(1_000, 0, 0))).toBe(0);
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
