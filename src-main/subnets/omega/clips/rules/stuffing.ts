import { cosine } from '../../../../base/cosine.ts';
import type { TextVectors } from '../../../../clips/models/clip-models.ts';
import type { SpaceThresholds } from '../../../../clips/models/space-thresholds.ts';
import type { SubmittedClip } from './clip.ts';

/** So many pieces may be about something else altogether, or say little of the clip (OMEGA, B5, step 10). */
const [MOST_UNRELATED, MOST_LOW] = [5, 15];
/** More than these nobody reads. */
export const MOST_PIECES = 50;
/** A piece that is less close than this share of the closest says little. */
const LOW_SHARE = 0.6;

/** Whether a description is made long with words that are not about its clip. */
export function isStuffed(
  clip: Pick<SubmittedClip, 'seen' | 'heard' | 'pieces'>,
  { unrelated }: Pick<SpaceThresholds, 'unrelated'>,
): boolean {
  const closeness = clip.pieces.map((piece) => closenessTo(clip, piece));
  const low = LOW_SHARE * Math.max(...closeness);
  const count = (limit: number) => closeness.filter((one) => one < limit).length;
  return closeness.length > MOST_PIECES || count(unrelated) > MOST_UNRELATED || count(low) > MOST_LOW;
}

function closenessTo({ seen, heard }: Pick<SubmittedClip, 'seen' | 'heard'>, piece: TextVectors): number {
  const ofPicture = cosine(seen, piece.seen);
  return heard && piece.heard ? (ofPicture + cosine(heard, piece.heard)) / 2 : ofPicture;
}
