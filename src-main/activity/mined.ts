import { midnights } from '../base/days.ts';
import type { ActivityMinute, ActivityStore } from '../store/activity.ts';

const DAYS = 7;

interface Mined {
  servingMs: number;
  joules: number;
}

/**
 * How long this node has mined, and the joules that were measured meanwhile.
 * @param now Unix milliseconds
 * @param running the minute that is not written yet
 * @returns `week`: over the last seven days, today included
 */
export async function readMined(
  now: number,
  store: Pick<ActivityStore, 'sums'>,
  running: ActivityMinute | undefined,
): Promise<{ today: Mined; week: Mined }> {
  const [week = now, ...days] = midnights(now, DAYS);
  const since = async (from: number) => {
    const unwritten = running && running.at >= from ? [running] : [];
    return together([...(await store.sums(from)), ...unwritten]);
  };
  return { today: await since(days.at(-1) ?? week), week: await since(week) };
}

function together(sums: readonly { serving_ms: number; joules: number }[]): Mined {
  return {
    servingMs: sums.reduce((total, one) => total + one.serving_ms, 0),
    joules: sums.reduce((total, one) => total + one.joules, 0),
  };
}
