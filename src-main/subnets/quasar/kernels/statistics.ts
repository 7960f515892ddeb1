import { median } from '../../../base/median.ts';
import type { SpeedRatio } from './verdict.ts';

/** Of a normal distribution, so much lies within 1.96 standard deviations: 95 %. */
const Z = 1.96;

/**
 * The median of ratios, and between which two of them the true one lies in 95 of 100 cases: as many stand below the true median as heads fall in so
 * many throws of a coin (the interval of the sign test, with the normal distribution for the binomial one). Nothing is supposed of how the ratios are spread.
 *
 * @throws RangeError where there is none
 */
export function medianRatio(ratios: readonly number[]): SpeedRatio {
  const sorted = ratios.toSorted((one, other) => one - other);
  const pairs = sorted.length;
  const below = Math.max(0, Math.floor((pairs - Z * Math.sqrt(pairs)) / 2));
  const [low, high] = [sorted[below], sorted[pairs - 1 - below]] as [number, number];
  return { median: median(sorted), low, high, pairs };
}
