/** A value that so large a share, 0 to 1, lies below. @param sorted ascending @returns NaN for an empty list */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
