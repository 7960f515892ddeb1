/** Of a normal distribution, so much lies within 1.96 standard deviations: 95 %. */
const Z = 1.96;

export interface Interval {
  low: number;
  high: number;
}

/**
 * Between which two shares the true one lies, in 95 of 100 cases, where so much of so many was right (Wilson's score interval): also of few, and of
 * all or none. @param right may be a part: scores need not be whole; below 0 it counts as none, and above `of` as all
 */
export function shareInterval(right: number, of: number): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const share = Math.min(1, Math.max(0, right / of));
  const centre = share + Z ** 2 / (2 * of);
  const reach = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale) };
}

/** A mean, and between which two the true one lies. */
export interface Ranged extends Interval {
  mean: number;
}

/**
 * The same of a mean of scores. Below 0 it is no share, as where some scores are a punishment: then by the deviation of the scores themselves.
 * @param meanSquare of the scores, each squared
 */
export function meanInterval({
  count,
  mean,
  meanSquare,
}: {
  count: number;
  mean: number;
  meanSquare: number;
}): Interval {
  if (mean >= 0) return shareInterval(mean * count, count);
  const reach = Z * Math.sqrt(Math.max(0, meanSquare - mean ** 2) / count);
  return { low: mean - reach, high: mean + reach };
}

/** The mean of means, each counting the same, and its interval: those of independent means add up by their squares. */
export function meanOfMeans(means: readonly Ranged[]): Ranged {
  if (means.length === 0) return { mean: 0, low: 0, high: 1 };
  const average = (of: (one: Ranged) => number) => means.reduce((sum, one) => sum + of(one), 0) / means.length;
  const mean = average((one) => one.mean);
  const reach = (to: 'low' | 'high') => Math.hypot(...means.map((one) => one[to] - one.mean)) / means.length;
  const least = Math.min(0, ...means.map((one) => one.low));
  return { mean, low: Math.max(least, mean - reach('low')), high: Math.min(1, mean + reach('high')) };
}
