import type { RecordedSecond } from '../../../state/recording.ts';

/** As the rules that score a recording have it: below it nothing happened (blocks that changed; a cursor that blinks is one), … */
const LEAST_MOTION = 2;
/** … and whoever did something is at work for so long before and after it. */
const AROUND_MS = 20_000;

/**
 * Milliseconds in which somebody was at work: by keys and mouse where these are counted, else as far as the picture tells.
 * @param seconds ascending, each with its end
 */
export function busyMs(seconds: readonly RecordedSecond[], isCounted: boolean): number {
  const end = seconds.at(-1)?.activeMs ?? 0;
  let busy = 0;
  let until = 0;
  for (const { activeMs, motion, used } of seconds) {
    if (isCounted ? !used : motion < LEAST_MOTION) continue;
    const from = Math.max(until, activeMs - AROUND_MS);
    until = Math.min(end, activeMs + AROUND_MS);
    busy += Math.max(0, until - from);
  }
  return busy;
}
