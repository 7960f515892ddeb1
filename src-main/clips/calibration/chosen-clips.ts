import { setImmediate as aTurn } from 'node:timers/promises';
import type { ClipStore, StoredClip } from '../../store/clips/clips.ts';

/** As many clips are enough, and no more of the library than so many are looked at. */
const [MOST_VIDEOS, MOST_LOOKED_AT, AT_ONCE] = [150, 20_000, 200] as const;

/**
 * The newest clips that were made into numbers of a space, one of each video: clips of one are more alike than clips of two. None that was taken down.
 * @param store its newest clips first, a page at a time
 */
export async function chosenClips(
  store: Pick<ClipStore, 'page'>,
  space: string,
  signal: AbortSignal,
): Promise<StoredClip[]> {
  const chosen = new Map<string, StoredClip>();
  let before: number | undefined;
  for (let looked = 0; looked < MOST_LOOKED_AT && chosen.size < MOST_VIDEOS; looked += AT_ONCE) {
    signal.throwIfAborted();
    const page = await store.page({ isTakenDown: false }, before, AT_ONCE);
    for (const row of page) {
      const video = JSON.stringify([row.source, row.video]);
      if (row.space === space && !chosen.has(video) && chosen.size < MOST_VIDEOS) chosen.set(video, row);
    }
    before = page.at(-1)?.number;
    if (page.length < AT_ONCE) break;
    await aTurn();
  }
  return [...chosen.values()];
}
