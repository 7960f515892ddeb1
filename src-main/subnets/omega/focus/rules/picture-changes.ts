import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';
import { ones } from '../../../../base/ones.ts';

/** Bits of 64 in which two pictures differ: up to so many it is the same picture, encoded again or drawn smaller. */
export const SAME_BITS = 6;
/** Of a recording no more changes are compared: the time for it grows with their square. */
const MOST_CHANGES = 1_500;

/** The moments at which a recording began to look different: seconds from its beginning, and the picture in two halves. */
export interface PictureChanges {
  at: Int32Array;
  high: Int32Array;
  low: Int32Array;
}

/** @param most so many of its first changes */
export function picturesOf(
  seconds: readonly Pick<ActivitySecond, 'picture'>[],
  most: number = MOST_CHANGES,
): PictureChanges {
  const changes: { at: number; high: number; low: number }[] = [];
  for (const [at, { picture }] of seconds.entries()) {
    if (picture === null) continue;
    const [high, low] = [Number.parseInt(picture.slice(0, 8), 16) | 0, Number.parseInt(picture.slice(8), 16) | 0];
    const last = changes.at(-1);
    if (!last || difference(last.high, last.low, high, low) > SAME_BITS) changes.push({ at, high, low });
  }
  const kept = changes.slice(0, most);
  const all = (name: 'at' | 'high' | 'low') => Int32Array.from(kept, (change) => change[name]);
  return { at: all('at'), high: all('high'), low: all('low') };
}

/**
 * How many changes of one recording are in another at the same distance from each other: those who show the same, cut or not, have most of them in common;
 * those who work with the same programs see the same pictures, but never in the same rhythm.
 */
export function inCommon(one: PictureChanges, other: PictureChanges): number {
  const votes = new Map<number, number>();
  for (let i = 0; i < one.at.length; i++) {
    for (let j = 0; j < other.at.length; j++) {
      const bits = difference(one.high[i] ?? 0, one.low[i] ?? 0, other.high[j] ?? 0, other.low[j] ?? 0);
      if (bits > SAME_BITS) continue;
      const shift = (one.at[i] ?? 0) - (other.at[j] ?? 0);
      votes.set(shift, (votes.get(shift) ?? 0) + 1);
    }
  }
  // A second of the one may begin amid a second of the other.
  return Math.max(0, ...[...votes].map(([shift, count]) => count + (votes.get(shift + 1) ?? 0)));
}

/** In how many of their 64 bits two pictures differ. */
export function difference(high: number, low: number, otherHigh: number, otherLow: number): number {
  return ones(high ^ otherHigh) + ones(low ^ otherLow);
}
