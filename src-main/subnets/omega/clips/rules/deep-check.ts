import { cosine } from '../../../../base/cosine.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { ReadVectors } from './clip.ts';

/** Of so many submissions one is looked at closely: one of its clips is fetched, and its vectors are reckoned anew (OMEGA, B2). */
export const CHECK_SHARE = 0.1;

/**
 * How much closer to words a clip may be by what its miner says than by its very bytes, as a share of the way from `unrelated` to `closest`. Two readings are apart in
 * some direction or other; vectors that lean to the topic, or to the description, were bent. Within {@link SpaceThresholds.same} alone they could be bent by 18°, and earn three times as much.
 */
export const MOST_GAIN = 0.2;

/**
 * Two honest readings are 0.9999 alike at the least, and so as far apart as this in some direction: where a model's words are all about as close, a fifth of the way would be less, or below nothing,
 * and every miner a liar.
 */
const LEAST_GAIN = 0.015;

/** Whether vectors were bent so that they earn more than the clip does. @param words of the topic and, of a clip, of the description */
export function isBent(
  told: ReadVectors,
  found: ReadVectors,
  words: readonly TextVectors[],
  { closest, unrelated }: Pick<SpaceThresholds, 'closest' | 'unrelated'>,
): boolean {
  const limit = Math.max(LEAST_GAIN, MOST_GAIN * (closest - unrelated));
  return words.some(
    ({ seen, heard }) => gain(told.seen, found.seen, seen) > limit || gain(told.heard, found.heard, heard) > limit,
  );
}

/** How much closer to words one is than the other; 0 where one of them is missing. */
function gain(told: Float32Array | null, found: Float32Array | null, words: Float32Array | null): number {
  return told && found && words ? cosine(told, words) - cosine(found, words) : 0;
}

/** Whether vectors are those of the clip. @param found as the validator reckons them */
export function isOfClip(told: ReadVectors, found: ReadVectors, { same }: Pick<SpaceThresholds, 'same'>): boolean {
  return alikeness(told.seen, found.seen) > same && alikeness(told.heard, found.heard) > same;
}

/** The cosine of two that are there; 1 where neither is, −1 where one is missing. */
export function alikeness(told: Float32Array | null, found: Float32Array | null): number {
  if (told && found) return cosine(told, found);
  return told || found ? -1 : 1;
}
