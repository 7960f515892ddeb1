import type { ActivitySecond } from '../../../src-preload/contract/focus.ts';
import { MOTION_BLOCKS } from '../../../src-preload/contract/focus-limits.ts';
import type { SceneChange } from './media-tasks.ts';

const MOST_CHAPTERS = 20;
const APART_MS = 20_000;
/** Shares of the picture that have to change: from one picture that was looked at to the next, which may be moments of typing apart, and within one second. */
const CHANGED = 0.35;
const MOVED = 0.6;
const ALL_BLOCKS = MOTION_BLOCKS.columns * MOTION_BLOCKS.rows;

interface Candidate {
  atMs: number;
  strength: number;
}

/** A second of the recording, with how much moved in it. */
interface Moved extends Candidate {
  endMs: number;
}

/**
 * Where something else begins to be on the screen: the beginning, and the greatest changes after it, at most 20 and at least 20 seconds apart.
 *
 * @param changes between pictures that are some seconds apart, ascending; the second in between in which most moved is when it happened
 * @param seconds of the same recording, ascending
 * @returns milliseconds, ascending
 */
export function chaptersOf(
  changes: readonly SceneChange[],
  seconds: readonly Pick<ActivitySecond, 'activeMs' | 'motion'>[],
): number[] {
  const moved = seconds.map(({ activeMs, motion }, index) => {
    return { atMs: seconds[index - 1]?.activeMs ?? 0, endMs: activeMs, strength: motion / ALL_BLOCKS };
  });
  const scenes = scenesOf(
    changes.filter(({ share }) => share >= CHANGED),
    moved,
  );
  const jumps = moved.filter(({ strength }) => strength >= MOVED);
  const chapters = [0];
  for (const { atMs } of [...scenes, ...jumps].toSorted((a, b) => b.strength - a.strength || a.atMs - b.atMs)) {
    if (chapters.length === MOST_CHAPTERS) break;
    if (chapters.every((other) => Math.abs(other - atMs) >= APART_MS)) chapters.push(atMs);
  }
  return chapters.sort((a, b) => a - b);
}

/** Both go by time, so each second is looked at for one change, or two where it lies on the border. A change that stays is more than one that the next second takes back. */
function scenesOf(changes: readonly SceneChange[], moved: readonly Moved[]): Candidate[] {
  let first = 0;
  return changes.map(({ fromMs, atMs, share }) => {
    while (isOver(moved[first], fromMs)) first++;
    const most = mostWithin(moved, first, atMs);
    return { atMs: Math.max(fromMs, most?.atMs ?? atMs), strength: 1 + share };
  });
}

const isOver = (second: Moved | undefined, fromMs: number): boolean => second !== undefined && second.endMs <= fromMs;

/** The second in which most moved, from one on; of equal ones the first. */
function mostWithin(moved: readonly Moved[], first: number, untilMs: number): Moved | undefined {
  let most: Moved | undefined;
  for (let at = first; ; at++) {
    const second = moved[at];
    if (!second || second.atMs >= untilMs) return most;
    if (!most || second.strength > most.strength) most = second;
  }
}
