import type { CreditDay } from '../../../../src-preload/contract/credits.ts';

/** What can be shown of a day. */
export const DAY_MEASURES = ['points', 'requests', 'spent'] as const;
export type DayMeasure = (typeof DAY_MEASURES)[number];

/** The sum over the days, and the day that has most. */
export function totalAndBest(days: CreditDay[], measure: DayMeasure): { total: number; best: CreditDay | undefined } {
  let best: CreditDay | undefined;
  let total = 0;
  for (const day of days) {
    total += day[measure];
    if (!best || day[measure] > best[measure]) best = day;
  }
  return { total, best };
}
