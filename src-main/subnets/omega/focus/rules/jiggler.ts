import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed, unknown } from './facts.ts';
import { DETAIL, pressed } from './motion.ts';

/** Somebody who works presses something more often than so many times a minute. */
const LEAST_PRESSED = 1;
/** Share of the seconds with the mouse that bring nothing about but the pointer itself. */
const FOR_NOTHING = 0.9;
/** Fewer seconds with the mouse are no sign of anything. */
const LEAST_MOVED = 10;

/** The mouse moves, but nothing is pressed, and the picture stays as it is: a program moves it, or a device. */
export function jiggler({ seconds, activeMs }: FocusFacts): Finding {
  if (seconds.every((second) => second.moves === null)) return unknown(say('focusRules.untold'));
  const moved = seconds.filter(({ moves }) => (moves ?? 0) > 0);
  const presses = seconds.reduce((sum, second) => sum + (pressed(second) ?? 0), 0);
  const forNothing = moved.filter(({ motion }) => motion < DETAIL / 10).length;
  const isAlone = presses < LEAST_PRESSED * (activeMs / 60_000);
  if (moved.length >= LEAST_MOVED && isAlone && forNothing >= FOR_NOTHING * moved.length) {
    return failed(say('focusRules.jiggler.found'));
  }
  return passed(say('focusRules.jiggler.none'));
}
