import {
  LEAST_CLIP_SECONDS,
  MOST_CLIP_SECONDS,
  MOST_FETCHED_SECONDS,
} from '../../../../../src-preload/contract/data-limits.ts';
import type { Licence, SourceKind, SubmissionKind } from '../../../../../src-preload/contract/data-names.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { mayBePassedOn } from '../../../../clips/sources/licences.ts';
import { LEAST_SECONDS, MOST_SECONDS } from '../sound/sound-quality.ts';

/** What is told of a clip, or of a sound, before anybody has looked at it. */
export interface ToAdmit {
  source: SourceKind;
  licence: Licence;
  /** Where it begins and ends in its video, seconds. */
  from: number;
  to: number;
}

/**
 * Why a clip does not count, whatever is to be seen in it; undefined where it may. What nobody could look at would never be found out; who hands in, who judges and who says what own clips would be worth go by
 * the same.
 * @param asks whether a source is asked by whoever would look at it. Default: each is
 */
export function barredBecause(
  { source, licence, from, to }: ToAdmit,
  kind: SubmissionKind,
  asks: (source: SourceKind) => boolean = () => true,
): Saying | undefined {
  if (source === 'folder' || licence === 'own') return say('clipValidation.uncounted.own');
  if (!mayBePassedOn(licence)) return say('clipValidation.uncounted.licence');
  if (to > MOST_FETCHED_SECONDS || !asks(source)) return say('clipValidation.uncounted.reach');
  return isOfLength(to - from, kind) ? undefined : say(TOO_SHORT_OR_LONG[kind]);
}

const TOO_SHORT_OR_LONG = {
  videos: 'clipValidation.uncounted.length',
  sounds: 'clipValidation.uncounted.soundLength',
} as const;

/** Whether it is neither too short nor too long (OMEGA, B2). */
export function isOfLength(seconds: number, kind: SubmissionKind): boolean {
  const [least, most] = kind === 'videos' ? [LEAST_CLIP_SECONDS, MOST_CLIP_SECONDS] : [LEAST_SECONDS, MOST_SECONDS];
  return seconds >= least && seconds <= most;
}

/** Vectors of one clip, of which some may be missing. */
type Vectors = readonly (Float32Array | null)[];

/** Whether vectors are those of the models that judge: of the same space, and each of as many numbers as these have, whatever space is claimed for them. */
export function isOfSpace(
  told: { space: string | null; vectors: Vectors },
  of: { space: string; vectors: Vectors },
): boolean {
  const isAlike = (one: Float32Array | null, at: number) => {
    const other = of.vectors[at] ?? null;
    return !one || !other || one.length === other.length;
  };
  return told.space === of.space && told.vectors.every(isAlike);
}
