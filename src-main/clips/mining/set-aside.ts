import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import { UnusableMedia } from '../media/media.ts';
import { faultInWords } from '../media/media-words.ts';

/** Nothing of a video is of use, and that stays so. */
export class OfNoUse extends Error {
  readonly reason: Saying;

  constructor(reason: Saying) {
    super(reason.key);
    this.reason = reason;
  }
}

/** What becomes of a video that did not come to its end. */
export type Outcome =
  /** Nothing of it is of use. */
  | { state: 'skipped'; reason: Words }
  /** It may be tried again by itself. */
  | { state: 'waiting'; reason: Words; inMs: number }
  | { state: 'failed'; reason: Words }
  /** It is not to blame: nothing else would go on, either. */
  | { state: 'held'; reason: QuarryError };

/** What may pass is tried so often. */
export const MOST_TRIES = 5;
const AT_ONCE_MS = 1_000;
const AGAIN = { firstMs: 60_000, longestMs: 6 * 3_600_000, growth: 4 };

/** @param tries how often it has failed, this time included */
export function outcomeOf(error: unknown, tries: number): Outcome {
  if (error instanceof OfNoUse) return { state: 'skipped', reason: error.reason };
  if (error instanceof UnusableMedia) return { state: 'skipped', reason: faultInWords(error.fault) };
  if (isDiskFull(error)) return { state: 'held', reason: noSpace(error) };
  const named = QuarryError.from(error);
  const reason = wordsOf(named, 'message');
  // Models and programs are replaced while they are asked when a setting changes.
  if (named.code === 'CANCELLED') return { state: 'waiting', reason, inMs: AT_ONCE_MS };
  if (!named.retryable || tries >= MOST_TRIES) return { state: 'failed', reason };
  return { state: 'waiting', reason, inMs: Math.max(backOffMs(tries, AGAIN), named.retryAfterMs ?? 0) };
}

/** Clips and what was fetched have taken all that they may. */
export const noRoom = (budget: number) =>
  new QuarryError({ code: 'DISK_FULL', message: say('clips.full', { budget }), hint: say('clips.full.hint') });

const noSpace = (error: unknown) =>
  error instanceof QuarryError
    ? error
    : new QuarryError({ code: 'DISK_FULL', message: say('clips.noSpace') }, { cause: error });

function isDiskFull(error: unknown): boolean {
  if (error instanceof QuarryError) return error.code === 'DISK_FULL';
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}
