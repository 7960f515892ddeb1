import { everySecond } from './rules/every-second.ts';
import type { FocusFacts } from './rules/facts.ts';
import { inCommon, picturesOf } from './rules/picture-changes.ts';

/** How much of how the picture changed is in no recording that is known, from 0 to 1; null where how it looked was not kept. */
export function pictureUniqueness({ seconds, known = [] }: FocusFacts): number | null {
  const own = picturesOf(everySecond(seconds));
  if (own.at.length === 0) return null;
  const shares = known.map(({ seconds: others }) => {
    const other = picturesOf(everySecond(others));
    return inCommon(own, other) / Math.max(1, Math.min(own.at.length, other.at.length));
  });
  return 1 - Math.min(1, Math.max(0, ...shares));
}
