import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';
import { MOTION_BLOCKS } from '../../../../../src-preload/contract/focus-limits.ts';

const ALL = MOTION_BLOCKS.columns * MOTION_BLOCKS.rows;

/** Below it nothing happened: a cursor that blinks changes one block. Of all blocks (64 × 36). */
export const STILL = 2;
/** Up to it, it was a detail: a typed word changes some 7 blocks. */
export const DETAIL = 150;
/** Of a film in a window no second has fewer; scrolling changes some 550, but not second after second. */
export const MOVING = 40;
/** From it on it is another picture. */
export const WHOLE = 0.3 * ALL;

/** How often something was pressed; null where the computer does not tell. */
export const pressed = ({ keys, clicks }: ActivitySecond): number | null =>
  keys === null && clicks === null ? null : (keys ?? 0) + (clicks ?? 0);

/**
 * Whether somebody used keys or mouse in this second. Where a page sees only itself, the computer may still tell when it was used last.
 * Null where nothing tells.
 */
export function isUsed(second: ActivitySecond): boolean | null {
  const { moves, idleMs } = second;
  const counted = pressed(second);
  if (counted === null && moves === null && idleMs === null) return null;
  return (counted ?? 0) > 0 || (moves ?? 0) > 0 || (idleMs !== null && idleMs < 1_000);
}

/** Whether any second tells how keys and mouse were used. */
export const isUseTold = (seconds: readonly ActivitySecond[]): boolean => seconds.some((one) => isUsed(one) !== null);
