import { commonLength } from '../../../base/common-subsequence.ts';
import { codePoints, linesOf } from './python-text.ts';

/** How alike the first line of code of an answer and the reference are, in whole hundredths (LongBench, code completion). */
export function codeSimilarity(answer: string, reference: string): number {
  const line = linesOf(answer).find((one) => !/[`#]|\/\//.test(one)) ?? answer;
  return fuzzRatio(line, reference) / 100;
}

/** As `fuzz.ratio` of the Python package `thefuzz` 0.22, which asks `rapidfuzz`: characters that are inserted and deleted, none are replaced. 0–100, whole. */
function fuzzRatio(one: string, other: string): number {
  const [a, b] = [codePoints(one), codePoints(other)];
  const most = a.length + b.length;
  if (most === 0) return 100;
  // In this order, as rapidfuzz does: what lies in the middle between two whole numbers depends on it.
  return roundHalfEven((1 - (most - 2 * commonLength(a, b)) / most) * 100);
}

/** As Python’s `round`: what is in the middle goes to the even number. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
