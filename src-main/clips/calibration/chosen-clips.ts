import { setImmediate as aTurn } from 'node:timers/promises';
import { thinned } from '../../base/thinned.ts';
import type { ClipStore } from '../../store/clips/clips.ts';

/** As many clips are enough, and no more of the library than so many are looked at. */
const [MOST_VIDEOS, MOST_LOOKED_AT, AT_ONCE] = [150, 20_000, 500] as const;

/**
 * Clips that were made into numbers of a space, one of each video: clips of one are more alike than clips of two. They are taken evenly from all there are, so that what came last, of one
 * topic or of somebody who wants to be measured by, is no larger a part of them than of the library.
 * @returns their ids, the newest first
 */
export async function chosenClips(
  store: Pick<ClipStore, 'videosOf'>,
  space: string,
  signal: AbortSignal,
): Promise<string[]> {
  const newest = new Map<string, string>();
  let before: number | undefined;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += AT_ONCE) {
    signal.throwIfAborted();
    const page = await store.videosOf(before, AT_ONCE);
    for (const row of page) {
      const video = JSON.stringify([row.source, row.video]);
      if (row.space === space && !newest.has(video)) newest.set(video, row.clip);
    }
    before = page.at(-1)?.number;
    if (page.length < AT_ONCE) break;
    await aTurn();
  }
  return thinned([...newest.values()], MOST_VIDEOS);
}
