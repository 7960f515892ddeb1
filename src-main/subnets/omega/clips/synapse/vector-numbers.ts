/** Numbers of a vector, at the least and at the most: models of clips have 512 to 1,024. */
const [LEAST_NUMBERS, MOST_NUMBERS] = [8, 2_048];
/** Digits of a number that is sent. Two readings of one clip differ by far more; 1,024 numbers take 9 kB. */
const DIGITS = 5;
/** Shorter ones have no direction. */
const LEAST_LENGTH = 1e-6;

/** A vector as it is sent. */
export const numbersOf = (vector: Float32Array): number[] =>
  Array.from(vector, (number) => Number(number.toPrecision(DIGITS)));

/** A vector out of what a stranger sent, made of length 1. @returns null for what is no list of so many finite numbers, or has no direction */
export function vectorOf(numbers: unknown): Float32Array | null {
  if (!Array.isArray(numbers) || numbers.length < LEAST_NUMBERS || numbers.length > MOST_NUMBERS) return null;
  if (!numbers.every((number) => Number.isFinite(number))) return null;
  const length = Math.hypot(...(numbers as number[]));
  if (!(length >= LEAST_LENGTH && Number.isFinite(length))) return null;
  return Float32Array.from(numbers as number[], (number) => number / length);
}
