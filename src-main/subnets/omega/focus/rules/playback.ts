import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';
import { isUsed, isUseTold, MOVING } from './motion.ts';

/** So long a picture has to move without a pause, seconds: people who scroll stop to read. */
const WINDOW = 20;
/** Shares of a window that move, and of the recording that is in such windows. */
const MOVES = 0.9;
const OF_ALL = 0.5;
/** Where nobody tells whether somebody did something, it takes more. */
const OF_ALL_UNTOLD = 0.8;

/** The picture moves on and on while nobody does anything: a film, a game that plays itself, a stream. */
export function playback({ seconds }: FocusFacts): Finding {
  const inPlay = secondsInPlay(seconds);
  const most = isUseTold(seconds) ? OF_ALL : OF_ALL_UNTOLD;
  if (inPlay > most * seconds.length) return failed(say('focusRules.playback.found', { seconds: inPlay }));
  return passed(say('focusRules.playback.none'));
}

function secondsInPlay(seconds: readonly ActivitySecond[]): number {
  let [moving, used, count, until] = [0, 0, 0, -1];
  for (const [index, second] of seconds.entries()) {
    moving += Number(second.motion >= MOVING);
    used += Number(isUsed(second) ?? false);
    const gone = seconds[index - WINDOW];
    if (gone) {
      moving -= Number(gone.motion >= MOVING);
      used -= Number(isUsed(gone) ?? false);
    }
    if (index < WINDOW - 1 || used > 0 || moving < MOVES * WINDOW) continue;
    count += index - Math.max(until, index - WINDOW);
    until = index;
  }
  return count;
}
