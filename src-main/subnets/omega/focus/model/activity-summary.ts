import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';
import { MOTION_BLOCKS } from '../../../../../src-preload/contract/focus-limits.ts';
import { pressed } from '../rules/motion.ts';

const SECONDS = 60;
const BLOCKS = MOTION_BLOCKS.columns * MOTION_BLOCKS.rows;

/** How busy a minute was. */
export interface ActivityMinute {
  /** From 0. */
  minute: number;
  /** Of the picture, in a second, on average: percent. */
  changed: number;
  /** Keys and clicks; null where the computer does not tell. */
  pressed: number | null;
}

/** @param seconds every one of them, see {@link everySecond} */
export function activitySummary(seconds: readonly ActivitySecond[]): ActivityMinute[] {
  const count = Math.ceil(seconds.length / SECONDS);
  return Array.from({ length: count }, (_, minute) => {
    const some = seconds.slice(minute * SECONDS, (minute + 1) * SECONDS);
    const motion = some.reduce((sum, second) => sum + second.motion, 0) / some.length;
    const told = some.map(pressed).filter((each) => each !== null);
    return {
      minute,
      changed: Math.round((1_000 * motion) / BLOCKS) / 10,
      pressed: told.length > 0 ? told.reduce((sum, each) => sum + each, 0) : null,
    };
  });
}
