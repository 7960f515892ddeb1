import { WHOLE_POT } from '../../../../../src-preload/contract/competition-numbers.ts';

/** What holds for every competition (QUASAR, A9 and A10 of its fact sheet). */

/** Milliseconds of a block: of the chain on average, of the local clock exactly. */
export const BLOCK_MS = 12_000;
/** Of a round’s pot, in percent, for places one to four. */
export const PLACES = [60, 25, 10, 5] as const;
/** A round’s own pot, in ten-thousandths: shares are whole numbers of them. */
export const POT = WHOLE_POT;
/** Speeds that differ by less, as a part of the higher one, are the same speed: who committed first is before the other. */
export const SAME_BELOW = 0.02;
/** All of an interval has to be above it to be faster than the baseline, which was there first: a copy that was changed a little is as fast, and now and then above 1 by chance. */
export const TO_BEAT = 1 + SAME_BELOW;
