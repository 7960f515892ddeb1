/** The middle one, or the mean of both in the middle. @throws RangeError where there is none */
export function median(numbers: readonly number[]): number {
  if (numbers.length === 0) throw new RangeError('there is no middle of nothing');
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
}
