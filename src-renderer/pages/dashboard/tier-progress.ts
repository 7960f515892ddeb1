import type { CreditSummary } from '../../../src-preload/contract/credits.ts';

/** Share of the way from the present tier to the next, 0–1; 1 at the highest. */
export function tierProgress({ points, tierFrom, next }: Pick<CreditSummary, 'points' | 'tierFrom' | 'next'>): number {
  if (!next) return 1;
  const made = Math.max(0, points - tierFrom);
  return made / Math.max(1, made + next.missing);
}
