import { type Interval, shareInterval } from '../../../validation/interval.ts';

/** How much larger a share has become, and between which two the true difference lies in 95 of 100 cases. */
export interface Gain extends Interval {
  gain: number;
  before: number;
  after: number;
}

/**
 * The difference of two shares of the same questions: Wilson's intervals of both, their reaches added by squares, less what they have in common
 * (after Newcombe 1998). Also for few.
 * @param before of each question, whether its answer passed
 * @param after the same, in the same order
 */
export function pairedGain(before: readonly boolean[], after: readonly boolean[]): Gain {
  const of = Math.min(before.length, after.length);
  const [first, second] = [before.slice(0, of).filter(Boolean).length, after.slice(0, of).filter(Boolean).length];
  const [p1, p2] = [first / Math.max(1, of), second / Math.max(1, of)];
  const [one, two] = [shareInterval(first, of), shareInterval(second, of)];
  const common = correlation(before.slice(0, of), after.slice(0, of));
  const reach = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * common * a * b + b ** 2));
  return {
    gain: p2 - p1,
    low: Math.max(-1, p2 - p1 - reach(p2 - two.low, one.high - p1)),
    high: Math.min(1, p2 - p1 + reach(two.high - p2, p1 - one.low)),
    before: p1,
    after: p2,
  };
}

/** φ of a table of four; 0 where one of the two is always the same. */
function correlation(before: readonly boolean[], after: readonly boolean[]): number {
  const count = (one: boolean, other: boolean) => before.filter((was, at) => was === one && after[at] === other).length;
  const [a, b, c, d] = [count(true, true), count(true, false), count(false, true), count(false, false)];
  const spread = (a + b) * (c + d) * (a + c) * (b + d);
  return spread === 0 ? 0 : (a * d - b * c) / Math.sqrt(spread);
}
