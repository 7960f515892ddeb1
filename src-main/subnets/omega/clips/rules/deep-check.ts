import { cosine } from '../../../../base/cosine.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { ClipVectors } from './clip.ts';

/** Of so many submissions one is looked at closely: one of its clips is fetched, and its vectors are reckoned anew (OMEGA, B2). */
export const CHECK_SHARE = 0.1;

/**
 * How much closer to words a clip may be by what its miner says than by its very bytes, as a share of the way from `unrelated` to `closest`. Two readings are apart in
 * some direction or other; vectors that lean to the topic, or to the description, were bent. Within {@link SpaceThresholds.same} alone they could be bent by 18°, and earn three times as much.
 */
export const MOST_GAIN = 0.2;

/** Whether vectors were bent so that they earn more than the clip does. @param words of the topic and of the description */
export function isBent(
  told: Pick<ClipVectors, 'video' | 'audio'>,
  found: Pick<ClipVectors, 'video' | 'audio'>,
  words: readonly TextVectors[],
  { closest, unrelated }: Pick<SpaceThresholds, 'closest' | 'unrelated'>,
): boolean {
  const limit = MOST_GAIN * (closest - unrelated);
  return words.some(({ seen, heard }) => {
    const isSeenBent = cosine(told.video, seen) - cosine(found.video, seen) > limit;
    if (!heard || !told.audio || !found.audio) return isSeenBent;
    return isSeenBent || cosine(told.audio, heard) - cosine(found.audio, heard) > limit;
  });
}

/** Whether vectors are those of the clip. @param found as the validator reckons them */
export function isOfClip(
  told: Pick<ClipVectors, 'video' | 'audio'>,
  found: Pick<ClipVectors, 'video' | 'audio'>,
  { same }: Pick<SpaceThresholds, 'same'>,
): boolean {
  if ((told.audio === null) !== (found.audio === null)) return false;
  const isHeard = !told.audio || !found.audio || cosine(told.audio, found.audio) > same;
  return isHeard && cosine(told.video, found.video) > same;
}
