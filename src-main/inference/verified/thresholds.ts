import { z } from 'zod';
import { seededRandom } from '../../base/seeded-random.ts';
import { AUDIT_MEASURES, type AuditMeasure, type AuditSums, addAudits } from './audit.ts';

/** Numbers of audited tokens after which what was found is held against what honest workers are found at. */
export const AUDIT_SIZES = [32, 128, 512, 2_048] as const;
export type AuditSize = (typeof AUDIT_SIZES)[number];

const measures = z.object({ top: z.number(), chosen: z.number(), mismatches: z.number() });
/** Means over so many tokens above which somebody has not used the file that he declared. */
export const auditThresholdsSchema = z.object({ 32: measures, 128: measures, 512: measures, 2048: measures });
export type AuditThresholds = z.infer<typeof auditThresholdsSchema>;
/** The same with what probes come to (QUASAR, A8), where that was measured, too. */
export const calibrationSchema = auditThresholdsSchema.extend({ probes: auditThresholdsSchema.optional() });
export type Calibration = z.infer<typeof calibrationSchema>;

/**
 * How much larger differences are where the same file is computed by another build (AVX2 instead of AVX-512: log-probabilities 1.55 × as far apart, 1.65 × as many
 * tokens chosen otherwise, SmolLM2-135M Q4_1).
 */
const OTHER_BUILDS = 1.7;
/** So many standard deviations above that. They are no bell curve: single tokens are far off, and neighbours alike. */
const DEVIATIONS = 5;
const DRAWS = 2_000;

/**
 * Thresholds out of audits of answers that are honest for certain. How means of so many tokens spread is seen by drawing stretches of the answers.
 * @param answers of each, its tokens in their order @throws RangeError where there are none
 */
export function thresholdsOf(answers: readonly (readonly AuditSums[])[]): AuditThresholds {
  const filled = answers.filter(({ length }) => length > 0);
  if (filled.length === 0) throw new RangeError('There is no honest answer to go by.');
  return ofEach((size) => {
    const drawn = drawnMeans(filled, size);
    return (measure) => threshold(drawn.map((one) => one[measure]));
  });
}

/**
 * The same of answers whose tokens are alike, such as probes, which soon repeat themselves: of those it is the answers that differ, and their first tokens are another matter than their
 * last. So the beginnings of whole answers are compared, each as long as a threshold is for, or as it is.
 * @throws RangeError where there are none
 */
export function thresholdsOfWhole(answers: readonly (readonly AuditSums[])[]): AuditThresholds {
  if (answers.length === 0) throw new RangeError('There is no honest answer to go by.');
  const all = addAudits(answers.flat());
  return ofEach((size) => {
    const means = answers.map((audits) => meansOf(addAudits(audits.slice(0, size))));
    const usual = (measure: AuditMeasure) => threshold(means.map((one) => one[measure]));
    return (measure) => (measure === 'mismatches' ? Math.max(usual(measure), rarely(all, size)) : usual(measure));
  });
}

/**
 * What is counted may have been too rare to be seen: where none came among so many tokens, three might have in all but one of twenty cases, and none is no reason to find somebody out by one.
 */
function rarely({ tokens, mismatches }: AuditSums, size: AuditSize): number {
  const rate = (OTHER_BUILDS * (mismatches + 3)) / tokens;
  return rate + DEVIATIONS * Math.sqrt(rate / size);
}

/** Of each measure, the largest. @throws RangeError for none */
export function largestOf(several: readonly AuditThresholds[]): AuditThresholds {
  if (several.length === 0) throw new RangeError('There is no honest answer to go by.');
  return ofEach((size) => (measure) => Math.max(...several.map((each) => each[size][measure])));
}

/** For each size and measure. */
function ofEach(valuesOf: (size: AuditSize) => (measure: AuditMeasure) => number): AuditThresholds {
  const bySize = AUDIT_SIZES.map((size) => {
    const value = valuesOf(size);
    return [size, Object.fromEntries(AUDIT_MEASURES.map((measure) => [measure, value(measure)]))];
  });
  return Object.fromEntries(bySize) as AuditThresholds;
}

function threshold(means: readonly number[]): number {
  const mean = means.reduce((sum, each) => sum + each, 0) / means.length;
  const variance = means.reduce((sum, each) => sum + (each - mean) ** 2, 0) / means.length;
  return OTHER_BUILDS * mean + DEVIATIONS * Math.sqrt(OTHER_BUILDS * variance);
}

function drawnMeans(answers: readonly (readonly AuditSums[])[], size: AuditSize): Record<AuditMeasure, number>[] {
  const { uniform } = seededRandom(size);
  const upTo = (most: number) => Math.floor(uniform() * most);
  return Array.from({ length: DRAWS }, () => {
    const drawn: AuditSums[] = [];
    while (drawn.length < size) {
      const answer = answers[upTo(answers.length)] ?? [];
      const start = upTo(answer.length);
      drawn.push(...answer.slice(start, start + size - drawn.length));
    }
    return meansOf(addAudits(drawn));
  });
}

/** @returns a mean over tokens of each measure; 0 where nothing was audited */
export function meansOf({ tokens, ...sums }: AuditSums): Record<AuditMeasure, number> {
  const mean = (measure: AuditMeasure) => (tokens === 0 ? 0 : sums[measure] / tokens);
  return { top: mean('top'), chosen: mean('chosen'), mismatches: mean('mismatches') };
}

/** What speaks against a worker. */
export interface AuditFinding {
  measure: AuditMeasure;
  /** Mean over the tokens that were audited. */
  found: number;
  threshold: number;
  tokens: number;
}

/**
 * What a worker is found out by, if by anything: of what was audited, by the thresholds of the largest size that is reached.
 * @returns undefined also where too little was audited
 */
export function findingOf(audited: AuditSums, thresholds: AuditThresholds): AuditFinding | undefined {
  const size = sizeReached(audited);
  return size && above(audited, [thresholds[size]]);
}

/**
 * The same of one whole answer, by thresholds of whole answers ({@link thresholdsOfWhole}): what comes later in one may be farther off than its beginning, so one that is longer than the beginnings of one
 * size and shorter than those of the next is held against the larger of both.
 * @returns undefined also where it is too short
 */
export function findingOfWhole(audited: AuditSums, thresholds: AuditThresholds): AuditFinding | undefined {
  const size = sizeReached(audited);
  if (size === undefined) return undefined;
  const next = AUDIT_SIZES.find((each) => each >= audited.tokens) ?? size;
  return above(audited, [thresholds[size], thresholds[next]]);
}

const sizeReached = ({ tokens }: AuditSums) => AUDIT_SIZES.findLast((size) => size <= tokens);

/** @param several all of which are to be exceeded */
function above(audited: AuditSums, several: readonly AuditThresholds[AuditSize][]): AuditFinding | undefined {
  const means = meansOf(audited);
  const limitOf = (measure: AuditMeasure) => Math.max(...several.map((each) => each[measure]));
  const measure = AUDIT_MEASURES.find((each) => means[each] > limitOf(each));
  if (!measure) return undefined;
  return { measure, found: means[measure], threshold: limitOf(measure), tokens: audited.tokens };
}
