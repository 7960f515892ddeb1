/** Where shares stand, across the whole width. */
export interface ShareAxis {
  /** Shares with a line: the least, the middle and the greatest. */
  ticks: readonly number[];
  /** Where a share stands, for SVG: «37.5%». */
  x: (share: number) => string;
}

const STEP = 0.2;
/** What one step more takes at least, so that a single miner has a middle. */
const LEAST_SPAN = 2 * STEP;

/** The axis on which all of some intervals have room: from and to a round share, in steps wide enough that it rarely changes. */
export function shareAxis(intervals: readonly { low: number; high: number }[]): ShareAxis {
  const low = Math.min(...intervals.map((one) => one.low), 1);
  const high = Math.max(...intervals.map((one) => one.high), 0);
  const top = Math.min(1, Math.max(tidy(Math.ceil(high / STEP - 1e-9) * STEP), LEAST_SPAN));
  const bottom = Math.max(0, Math.min(tidy(Math.floor(low / STEP + 1e-9) * STEP), tidy(top - LEAST_SPAN)));
  const at = (share: number) => Math.min(1, Math.max(0, (share - bottom) / (top - bottom)));
  return { ticks: [bottom, tidy((bottom + top) / 2), top], x: (share) => `${tidy(100 * at(share))}%` };
}

const tidy = (value: number) => Number(value.toFixed(4));
