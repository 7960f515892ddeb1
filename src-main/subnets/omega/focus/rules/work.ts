import type { ActivitySecond } from '../../../../../src-preload/contract/focus.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';
import { isUsed, isUseTold, STILL } from './motion.ts';

/** Whoever did something is at work for so many seconds before and after it: people think, and read what they got. */
const AROUND_SECONDS = 20;
/** A smaller share is mostly an empty chair. */
const LEAST_SHARE = 0.4;

/** In how many seconds somebody was at work. Where the computer does not tell of keys and mouse, a picture that changes stands for them. */
export function atWork(seconds: readonly ActivitySecond[]): number {
  let count = 0;
  let until = -1;
  for (const [index, second] of seconds.entries()) {
    if (!(isUsed(second) ?? second.motion >= STILL)) continue;
    const from = Math.max(until + 1, index - AROUND_SECONDS);
    until = Math.min(seconds.length - 1, index + AROUND_SECONDS);
    count += until - from + 1;
  }
  return count;
}

/** Somebody was at work in enough of it. */
export function work({ seconds }: FocusFacts): Finding {
  const busy = atWork(seconds);
  const total = seconds.length;
  const found = say(isUseTold(seconds) ? 'focusRules.work.share' : 'focusRules.work.byPicture', { busy, total });
  return busy < LEAST_SHARE * total ? failed(found) : passed(found);
}
