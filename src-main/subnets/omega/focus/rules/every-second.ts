import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';

const SECOND_MS = 1_000;
/** A chunk may be a little longer than its second. */
const ONE_AND_A_HALF_MS = 1.5 * SECOND_MS;
/** So far the seconds may run ahead of the chunks, or behind them: a row of chunks that end amid a second keeps one second for each. */
const AHEAD_MS = 0.75 * SECOND_MS;

/**
 * The seconds of a recording, as many as it shows, however many chunks it has. Chunks that end within a second are one with it, so that short or empty
 * ones count no more than their time. A picture that stands still gives no chunk until it changes again: the seconds in between are put in, as what they
 * were. Their inputs are all told of with the chunk that came after them.
 */
export function everySecond(chunks: readonly ActivitySecond[]): ActivitySecond[] {
  const seconds: ActivitySecond[] = [];
  let before = 0;
  for (const chunk of chunks) {
    const last = seconds.at(-1);
    const newMs = chunk.activeMs - SECOND_MS * seconds.length;
    const gapMs = chunk.activeMs - before;
    before = chunk.activeMs;
    if (last && newMs < SECOND_MS - AHEAD_MS) seconds.splice(-1, 1, together(last, chunk));
    else seconds.push(...secondsBetween(chunk, newMs, gapMs), chunk);
  }
  return seconds;
}

/** Those that end before the chunk does. Where it is only a little longer than its second, the picture did not stand still in them. */
function secondsBetween(next: ActivitySecond, newMs: number, gapMs: number): ActivitySecond[] {
  const missing = newMs < SECOND_MS + AHEAD_MS ? 0 : Math.round(newMs / SECOND_MS) - 1;
  const motion = gapMs < ONE_AND_A_HALF_MS ? next.motion : 0;
  return Array.from({ length: missing }, (_, at) => ({ ...untouched(next, missing - at), motion }));
}

/** What changed in both is not known to be more than what changed in one. */
function together(one: ActivitySecond, next: ActivitySecond): ActivitySecond {
  return {
    at: next.at,
    activeMs: Math.max(one.activeMs, next.activeMs),
    motion: Math.max(one.motion, next.motion),
    picture: next.picture ?? one.picture,
    keys: sum(one.keys, next.keys),
    clicks: sum(one.clicks, next.clicks),
    moves: sum(one.moves, next.moves),
    idleMs:
      one.idleMs === null || next.idleMs === null ? (one.idleMs ?? next.idleMs) : Math.min(one.idleMs, next.idleMs),
  };
}

const sum = (one: number | null, next: number | null) =>
  one === null && next === null ? null : (one ?? 0) + (next ?? 0);

function untouched(next: ActivitySecond, secondsBefore: number): Omit<ActivitySecond, 'motion'> {
  const [at, activeMs] = [next.at - secondsBefore * SECOND_MS, next.activeMs - secondsBefore * SECOND_MS];
  const none = (count: number | null) => (count === null ? null : 0);
  const { keys, clicks, moves } = next;
  const idleMs = next.idleMs === null ? null : next.idleMs + secondsBefore * SECOND_MS;
  return { at, activeMs, picture: null, keys: none(keys), clicks: none(clicks), moves: none(moves), idleMs };
}
