import type { PointSources } from '../../../../src-preload/contract/credits.ts';

/** What adds points, in the order in which it is shown. */
export const SOURCES = ['speed', 'complexity', 'quality', 'bonuses'] as const;
export type Source = (typeof SOURCES)[number];

export interface SourceShare {
  source: Source;
  points: number;
  /** Of everything that added points, 0–1; 0 while there is nothing. */
  share: number;
}

export function sourceShares(sums: PointSources): SourceShare[] {
  const total = SOURCES.reduce((sum, source) => sum + sums[source], 0);
  return SOURCES.map((source) => ({
    source,
    points: sums[source],
    share: total === 0 ? 0 : sums[source] / total,
  }));
}
