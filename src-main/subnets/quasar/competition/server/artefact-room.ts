import type { CompetitionStore } from '../../../../store/competition/competition-store.ts';
import type { ArtefactFiles } from './artefact-files.ts';

/** Rounds that ended last, whose artefacts stay: whoever verifies a round has so long. */
const ROUNDS_KEPT = 2;
/** A share of all the room there is that is made at once, so that not each artefact after that looks for more. */
const MADE_AT_ONCE = 0.05;

export interface ArtefactRoomOptions {
  files: ArtefactFiles;
  store: CompetitionStore;
  /** Bytes that all artefacts may take together. */
  most: number;
}

/**
 * Where there is no room for so many bytes, forgets artefacts of rounds that ended long ago, the oldest first; never what something was measured against.
 * @returns whether there is room now
 */
export async function makeRoom(bytes: number, { files, store, most }: ArtefactRoomOptions): Promise<boolean> {
  if (files.bytes + bytes <= most) return true;
  const before = await firstKept(store);
  const wanted = most - Math.max(bytes, most * MADE_AT_ONCE);
  for (const hash of await files.oldestFirst()) {
    if (files.bytes <= wanted) break;
    const last = await store.submissions.lastRound(hash);
    const isOld = last !== undefined && last < before;
    if (isOld && !(await store.rounds.hasBaseline(hash))) await files.remove(hash);
  }
  return files.bytes + bytes <= most;
}

/** The oldest round of which artefacts stay. */
async function firstKept(store: CompetitionStore): Promise<number> {
  const ended = (await store.rounds.list(undefined, ROUNDS_KEPT + 2)).filter(({ state }) => state === 'ended');
  return ended[ROUNDS_KEPT - 1]?.number ?? 0;
}
