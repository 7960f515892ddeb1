import type { CreditDay } from '../../../src-preload/contract/credits.ts';

/** What can be shown of a day. */
export const DAY_MEASURES = ['points', 'requests', 'spent'] as const;
export type DayMeasure = (typeof DAY_MEASURES)[number];

/** Steps of an axis that people read easily, times a power of ten. */
const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 5;

/** Whole numbers from 0 in even steps; the last is not below `highest`. */
export function axisTicks(highest: number): number[] {
  const rough = Math.max(1, highest) / (MOST_TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = (STEPS.find((factor) => factor * power >= rough) ?? 10) * power;
  const step = Math.max(1, nice);
  const count = Math.ceil(Math.max(1, highest) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

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
