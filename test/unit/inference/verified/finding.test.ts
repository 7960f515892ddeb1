import { expect, it } from 'vitest';
import { type AuditMeasure, type AuditSums, NOTHING_AUDITED } from '../../../../src-main/inference/verified/audit.ts';
import { type AuditThresholds, findingOf, meansOf } from '../../../../src-main/inference/verified/thresholds.ts';

const all = (mean: number): Record<AuditMeasure, number> => ({ top: mean, chosen: mean, mismatches: mean });
/** The more was audited, the less is honest. All of it is exact in binary. */
const THRESHOLDS: AuditThresholds = { 32: all(0.5), 128: all(0.25), 512: all(0.125), 2048: all(0.0625) };
const audited = (tokens: number, means: Partial<Record<AuditMeasure, number>>): AuditSums => {
  const { top = 0, chosen = 0, mismatches = 0 } = means;
  return { tokens, top: tokens * top, chosen: tokens * chosen, mismatches: tokens * mismatches };
};

it('goes by the largest size that is reached', () => {
  for (const [tokens, mean, threshold] of [
    [31, 1, undefined],
    [32, 0.375, undefined],
    [32, 0.75, 0.5],
    [127, 0.375, undefined],
    [128, 0.375, 0.25],
    [511, 0.1875, undefined],
    [512, 0.1875, 0.125],
    [2_047, 0.09375, undefined],
    [2_048, 0.09375, 0.0625],
    [1_000_000, 0.03125, undefined],
    [1_000_000, 0.09375, 0.0625],
  ] as const) {
    const finding = findingOf(audited(tokens, { chosen: mean }), THRESHOLDS);
    const wanted = threshold && { measure: 'chosen', found: mean, threshold, tokens };
    expect(finding, `${tokens} ${mean}`).toEqual(wanted);
  }
});

it('finds nobody at the threshold itself', () => {
  expect(findingOf(audited(128, all(0.25)), THRESHOLDS)).toBeUndefined();
});

it('finds by each measure alone, and says by which', () => {
  for (const measure of ['top', 'chosen', 'mismatches'] as const) {
    expect(findingOf(audited(128, { [measure]: 0.5 }), THRESHOLDS)?.measure).toBe(measure);
  }
  expect(findingOf(audited(128, { mismatches: 0.5, top: 0.5 }), THRESHOLDS)?.measure).toBe('top');
});

it('finds nothing in nothing', () => {
  expect(meansOf(NOTHING_AUDITED)).toEqual(all(0));
  expect(findingOf(NOTHING_AUDITED, THRESHOLDS)).toBeUndefined();
});
