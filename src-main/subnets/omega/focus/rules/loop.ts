import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';
import { STILL } from './motion.ts';

/** Periods that are looked for, seconds. */
const SHORTEST = 8;
const LONGEST = 1_800;
/** Seconds that have to come again: fewer agree by chance. */
const LEAST_MOVED = 30;
/** Shares of them that may differ, and by how much: the recorder's second is not the film's. */
const MAY_DIFFER = 0.1;
const NEAR = Math.log(1.2);
const LOG_STILL = Math.log1p(STILL);

/** The same comes again and again: a piece of work that was recorded once and shown several times. */
export function loop({ seconds }: FocusFacts): Finding {
  const motion = Float64Array.from(seconds, (second) => Math.log1p(second.motion));
  const notStill = motion.reduce((sum, value) => sum + Number(value >= LOG_STILL), 0);
  const longest = Math.min(LONGEST, Math.floor(motion.length / 2));
  for (let period = SHORTEST; period <= longest; period++) {
    if (comesAgain(motion, period, notStill)) return failed(say('focusRules.loop.found', { seconds: period }));
  }
  return passed(say('focusRules.loop.none'));
}

/**
 * A second is like the one a period before it or its neighbour: few periods are whole seconds. Seconds in which nothing moves say nothing. A steady picture that moves evenly agrees with itself at any distance, and is no loop either.
 * @param notStill how many seconds do move: a period that does not fit is given up early
 */
function comesAgain(motion: Float64Array, period: number, notStill: number): boolean {
  const mostDiffer = MAY_DIFFER * 2 * notStill; // each is looked at twice
  let [moved, differ, varied] = [0, 0, 0];
  for (let index = period; index < motion.length; index++) {
    const [now = 0, before = 0, last = 0] = [motion[index], motion[index - period], motion[index - 1]];
    if (now < LOG_STILL && before < LOG_STILL) continue;
    const earlier = motion[index - period - 1] ?? before;
    moved++;
    varied += Number(Math.abs(now - last) > NEAR);
    differ += Number(Math.min(Math.abs(now - before), Math.abs(now - earlier)) > NEAR);
    if (differ > mostDiffer) return false;
  }
  return moved >= LEAST_MOVED && varied > moved / 2 && differ <= MAY_DIFFER * moved;
}
