import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed, unknown } from './facts.ts';
import { inCommon, type PictureChanges, picturesOf } from './picture-changes.ts';

/** Fewer changes in common are chance. */
export const LEAST = 8;
/** Of the changes of the shorter one: less is a piece of work that begins like another. */
export const SHARE = 0.4;

/** The same pictures in the same rhythm as in a recording that is known: shown again, whole or cut, encoded again or not. */
export function copy({ seconds, known = [] }: FocusFacts): Finding {
  const own = picturesOf(seconds);
  if (own.at.length === 0) return unknown(say('focusRules.copy.untold'));
  for (const { title, seconds: others } of known) {
    const common = copied(own, picturesOf(others));
    if (common > 0) return failed(say('focusRules.copy.found', { title, common }));
  }
  return passed(say('focusRules.copy.none'));
}

/** @returns how many changes two have in common; 0 where so few that neither is a copy of the other */
export function copied(own: PictureChanges, other: PictureChanges): number {
  const common = inCommon(own, other);
  return common >= LEAST && common >= SHARE * Math.min(own.at.length, other.at.length) ? common : 0;
}
