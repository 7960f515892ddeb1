import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';
import { STILL, WHOLE } from './motion.ts';

/** Fewer changes are no row. */
const LEAST_CHANGES = 4;
/** Shares of changes that are of the whole picture, and of seconds that are still. Work has details in between: a cursor, a typed word, a menu. */
const OF_CHANGES = 0.9;
const OF_ALL = 0.7;

/** Still pictures one after the other: screenshots, a presentation that nobody works on. */
export function slides({ seconds }: FocusFacts): Finding {
  const changes = seconds.filter(({ motion }) => motion >= STILL).length;
  const whole = seconds.filter(({ motion }) => motion >= WHOLE).length;
  const still = seconds.length - changes;
  const isRow = whole >= LEAST_CHANGES && whole >= OF_CHANGES * changes && still >= OF_ALL * seconds.length;
  if (isRow) return failed(say('focusRules.slides.found', { changes: whole }));
  return passed(say('focusRules.slides.none'));
}
