import { describe, expect, it } from 'vitest';
import { countsOf, thresholdsAt, verdictOf } from '../../../src-renderer/pages/network/audits/verdict.ts';

const limits = (tokens: number, limit: number) => ({ tokens, top: limit, chosen: limit, mismatches: limit });
const calibration = { thresholds: [limits(32, 0.3), limits(128, 0.2), limits(512, 0.1), limits(2_048, 0.05)] };
const means = (tokens: number, mismatches = 0) => ({ tokens, top: 0.01, chosen: 0.01, mismatches, finding: null });

describe('the threshold that counts', () => {
  it('is that of the largest number of tokens that is reached', () => {
    const at = [31, 32, 127, 128, 2_047, 2_048, 90_000].map((tokens) => thresholdsAt(calibration, tokens)?.tokens);
    expect(at).toEqual([undefined, 32, 32, 128, 512, 2_048, 2_048]);
    expect(thresholdsAt(undefined, 500)).toBeUndefined();
  });
});

describe('a verdict', () => {
  it('is what main has found, whatever the figures are', () => {
    const finding = { measure: 'top', found: 0.5, threshold: 0.3, tokens: 40 } as const;
    expect(verdictOf({ ...means(40), finding }, undefined)).toBe('found');
  });

  it('says what is missing before it says that nothing was found', () => {
    expect(verdictOf(means(9_000, 0.9), undefined)).toBe('unjudged');
    expect(verdictOf(means(31, 0.9), calibration)).toBe('early');
    expect(verdictOf(means(32, 0.2), calibration)).toBe('clean');
  });

  it('says so where one mean is above the line and nobody has judged it yet', () => {
    expect(verdictOf(means(128, 0.2), calibration)).toBe('clean');
    expect(verdictOf(means(128, 0.21), calibration)).toBe('above');
  });
});

describe('the answer', () => {
  it('counts workers once, whatever files they declare', () => {
    const of = (worker: string, verdict: 'found' | 'clean' | 'early') => ({ audit: { worker }, verdict });
    expect(countsOf([of('a', 'found'), of('a', 'clean'), of('b', 'early'), of('c', 'clean')])).toEqual({
      ...{ workers: 3, found: 1, judged: 2 },
    });
    expect(countsOf([])).toEqual({ workers: 0, found: 0, judged: 0 });
  });
});
