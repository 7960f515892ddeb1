import type { ShareAxis } from '../../../components/chart/share-axis.ts';

const STEP = 0.5;

/** From the speed of the baseline, which is 1, or below it, to a round one above all. */
export function ratioAxis(ratios: readonly { low: number; high: number }[]): ShareAxis {
  const low = Math.min(1, ...ratios.map((one) => one.low));
  const high = Math.max(1 + STEP, ...ratios.map((one) => one.high));
  const top = Math.ceil(high / STEP - 1e-9) * STEP;
  const bottom = low < 1 ? Math.floor(low / STEP + 1e-9) * STEP : 1;
  const at = (ratio: number) => Math.min(1, Math.max(0, (ratio - bottom) / (top - bottom)));
  return { ticks: [bottom, (bottom + top) / 2, top], x: (ratio) => `${(100 * at(ratio)).toFixed(2)}%` };
}
