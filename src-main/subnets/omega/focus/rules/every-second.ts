import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';

const SECOND_MS = 1_000;
/** A chunk may be a little longer than its second. */
const ONE_AND_A_HALF_MS = 1.5 * SECOND_MS;

/**
 * A picture that stands still gives no chunk until it changes again: the seconds in between are put in, as what they were. Their inputs are all told of with the
 * chunk that came after them.
 */
export function everySecond(chunks: readonly ActivitySecond[]): ActivitySecond[] {
  let before = 0;
  return chunks.flatMap((chunk) => {
    const gapMs = chunk.activeMs - before;
    before = chunk.activeMs;
    if (gapMs < ONE_AND_A_HALF_MS) return [chunk];
    const missing = Math.round(gapMs / SECOND_MS) - 1;
    return [...Array.from({ length: missing }, (_, at) => still(chunk, missing - at)), chunk];
  });
}

function still(next: ActivitySecond, secondsBefore: number): ActivitySecond {
  const [at, activeMs] = [next.at - secondsBefore * SECOND_MS, next.activeMs - secondsBefore * SECOND_MS];
  const none = (count: number | null) => (count === null ? null : 0);
  const { keys, clicks, moves } = next;
  const idleMs = next.idleMs === null ? null : next.idleMs + secondsBefore * SECOND_MS;
  return { at, activeMs, motion: 0, picture: null, keys: none(keys), clicks: none(clicks), moves: none(moves), idleMs };
}
