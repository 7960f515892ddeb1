import type { COMPARED } from '../../../src-preload/contract/validator.ts';
import { betaQuantile } from './beta.ts';
import type { IntervalsPreset, MeansPreset, Preset, SpeedsPreset } from './presets.ts';

/** A miner’s results in one environment. */
export interface Sample {
  count: number;
  mean: number;
  /** Of the scores, each squared. */
  meanSquare: number;
  /** Results that are worth nothing, and less than nothing. Default: it does not matter how many. */
  zeros?: number;
  negatives?: number;
}

export const NO_RESULTS: Sample = { count: 0, mean: 0, meanSquare: 0 };

/** By how much one mean may lie below another and is not worse, and has to lie above it to be better. */
export interface Thresholds {
  notWorse: number;
  better: number;
}

/**
 * ε of a comparison (Affine, `thr_not_worse` and `thr_better`): both grow with the chance in the means, and neither falls below its floor; to be
 * better never asks for more than to be worse.
 */
export function thresholds(a: Sample, b: Sample, preset: MeansPreset): Thresholds {
  const deviation = Math.sqrt(chance(a, preset) + chance(b, preset));
  const notWorse = Math.max(preset.epsNotWorse, preset.zNotWorse * deviation);
  const better = Math.max(preset.epsBetter, preset.zBetter * deviation);
  return { notWorse, better: Math.min(better, notWorse) };
}

/** Variance of a mean. One below 0 is no share, whatever the preset takes it for. */
function chance({ count, mean, meanSquare }: Sample, { deviation }: MeansPreset): number {
  if (deviation === 'share' && mean >= 0) return (mean * (1 - mean)) / Math.max(count, 1);
  return count <= 1 ? 0 : Math.max(0, meanSquare - mean ** 2) / count;
}

/** Each environment is a bit: those in which one miner is not worse than another, is better, and is as good: then the other is not better either. */
export interface Comparison {
  notWorse: number;
  better: number;
  even: number;
}

/** @param a, b in each environment, in one order; at most 30 */
export function compareMeans(a: readonly Sample[], b: readonly Sample[], preset: MeansPreset): Comparison {
  const comparison = { notWorse: 0, better: 0, even: 0 };
  a.forEach((ours, at) => {
    const theirs = b[at] ?? NO_RESULTS;
    const { notWorse, better } = thresholds(ours, theirs, preset);
    const ahead = ours.mean - theirs.mean;
    const bit = 1 << at;
    if (ahead >= -notWorse) comparison.notWorse |= bit;
    if (ahead >= better) comparison.better |= bit;
    if (Math.abs(ahead) <= notWorse && -ahead < better) comparison.even |= bit;
  });
  return comparison;
}

/** Where a miner’s true mean in one environment may lie. */
export interface Ranged {
  count: number;
  low: number;
  high: number;
}

/** The middle part of the Beta distribution that is believed after so many results (Affine, `beta_confidence_interval`). */
export function rangeOf({ count, mean }: Sample, { confidence, prior }: IntervalsPreset): Ranged {
  if (count === 0) return { count, low: 0, high: 0 };
  const right = count * Math.min(1, Math.max(0, mean));
  const [a, b] = [prior + right, prior + count - right];
  const outside = (1 - confidence) / 2;
  return { count, low: betaQuantile(outside, a, b), high: betaQuantile(1 - outside, a, b) };
}

/**
 * Who wins each environment (Affine, `challenge_winner`): who has too few results loses, the one who came later has to be better for certain, or the
 * other wins: a copy wins nothing. Nobody wins where both have too few, or came at once and may be as good.
 * @param ahead how much later the other came: below 0, this one did
 */
export function compareRanges(
  a: readonly Ranged[],
  b: readonly Ranged[],
  { ahead, least }: { ahead: number; least: number },
): Comparison {
  const comparison = { notWorse: 0, better: 0, even: 0 };
  a.forEach((ours, at) => {
    const theirs = b[at] ?? { count: 0, low: 0, high: 0 };
    const bit = 1 << at;
    const winner = winnerOf(ours, theirs, { ahead, least });
    if (winner !== theirs) comparison.notWorse |= bit;
    if (winner === ours) comparison.better |= bit;
  });
  return comparison;
}

function winnerOf(ours: Ranged, theirs: Ranged, { ahead, least }: { ahead: number; least: number }) {
  if (ours.count < least && theirs.count < least) return undefined;
  if (ours.count < least) return theirs;
  if (theirs.count < least || ours.low > theirs.high) return ours;
  if (theirs.low > ours.high) return theirs;
  return ahead === 0 ? undefined : ahead > 0 ? ours : theirs;
}

/**
 * Who is faster by more than a share of the other's speed (QUASAR, A8, where the margin is a number that no speed above 100 tokens a second can overcome). Whoever fails too
 * often is slower than everybody who does not. Nobody is as good as another: who of those was first decides only among them whom nobody beats.
 */
export function compareSpeeds(a: readonly Sample[], b: readonly Sample[], preset: SpeedsPreset): Comparison {
  const comparison = { notWorse: 0, better: 0, even: 0 };
  a.forEach((ours, at) => {
    const [own, other] = [counted(ours, preset).mean, counted(b[at] ?? NO_RESULTS, preset).mean];
    const bit = 1 << at;
    if (own * (1 + preset.margin) >= other) comparison.notWorse |= bit;
    if (own > other * (1 + preset.margin)) comparison.better |= bit;
  });
  return comparison;
}

/** A sample as it counts: whoever fails too often has no speed. */
export function counted(sample: Sample, preset: Preset): Sample {
  const { count, zeros = 0 } = sample;
  const isSlow = preset.compares === 'speeds' && (zeros > preset.mostFailed * count || sample.mean < 0);
  return isSlow ? { ...sample, mean: 0 } : sample;
}

/** How one miner does beside another in each environment, as it counts for dominating it; whoever was there first. */
export function compared(a: readonly Sample[], b: readonly Sample[], preset: Preset): (typeof COMPARED)[number][] {
  const { notWorse, better } = inOneOrder(a, b, preset);
  return a.map((_, at) => (better & (1 << at) ? 'better' : notWorse & (1 << at) ? 'even' : 'worse'));
}

function inOneOrder(a: readonly Sample[], b: readonly Sample[], preset: Preset): Comparison {
  if (preset.compares === 'means') return compareMeans(a, b, preset);
  if (preset.compares === 'shares') return byMeansAlone(a, b);
  return preset.compares === 'speeds' ? compareSpeeds(a, b, preset) : withoutOrder(a, b, preset);
}

/** Whoever has more has more of the share, by however little. */
function byMeansAlone(a: readonly Sample[], b: readonly Sample[]): Comparison {
  const comparison = { notWorse: 0, better: 0, even: 0 };
  a.forEach(({ mean }, at) => {
    const ahead = Math.max(0, mean) - Math.max(0, b[at]?.mean ?? 0);
    if (ahead >= 0) comparison.notWorse |= 1 << at;
    if (ahead > 0) comparison.better |= 1 << at;
  });
  return comparison;
}

function withoutOrder(a: readonly Sample[], b: readonly Sample[], preset: IntervalsPreset): Comparison {
  const ranges = (samples: readonly Sample[]) => samples.map((sample) => rangeOf(sample, preset));
  return compareRanges(ranges(a), ranges(b), { ahead: 0, least: preset.least });
}

/**
 * Whether a miner dominates another on a set of environments: it is worse in none and better in one; or they are as good in all, and it was there first.
 * @param set bits
 */
export function dominates({ notWorse, better, even }: Comparison, isEarlier: boolean, set: number): boolean {
  if ((notWorse & set) === set && (better & set) !== 0) return true;
  return isEarlier && (even & set) === set;
}
