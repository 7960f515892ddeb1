import type { ActivitySums } from '../../store/activity.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** With less than this nothing is said of what an hour would bring. */
export const FEWEST_ANSWERS = 10;
export const LEAST_SERVING_MS = HOUR_MS;

/** What a time of serving brings here, by what the last days have. */
export interface EarningRate {
  /** Points an hour that the node could serve in full. */
  pointsPerHour: number;
  pointsPerAnswer: number;
  /** Hours a day that it could serve, and answers a day. */
  hoursPerDay: number;
  answersPerDay: number;
  /** Answers that this is reckoned from. */
  answers: number;
}

/**
 * @param sums what was done, by model or in all
 * @param observedMs how long that has been watched: the days that «a day» is made of. Less than a day counts as one
 * @returns undefined with too few answers or too little time
 */
export function earningRate(
  sums: readonly Pick<ActivitySums, 'serving_ms' | 'answers' | 'points'>[],
  observedMs: number,
): EarningRate | undefined {
  const total = (of: 'serving_ms' | 'answers' | 'points') => sums.reduce((sum, one) => sum + one[of], 0);
  const [servingMs, answers, points] = [total('serving_ms'), total('answers'), total('points')];
  if (servingMs < LEAST_SERVING_MS || answers < FEWEST_ANSWERS) return undefined;
  const days = Math.max(1, observedMs / DAY_MS);
  return {
    pointsPerHour: points / (servingMs / HOUR_MS),
    pointsPerAnswer: points / answers,
    hoursPerDay: servingMs / HOUR_MS / days,
    answersPerDay: answers / days,
    answers,
  };
}
