import { LONGEST_RECORDING_MS, SHORTEST_RECORDING_MS } from '../../../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';

/** A chunk may end a little late. */
const SLACK_MS = 5_000;

/** From one minute to ninety, without pauses (OMEGA, B11). */
export function length({ activeMs }: FocusFacts): Finding {
  if (activeMs < SHORTEST_RECORDING_MS) {
    const [seconds, least] = [Math.floor(activeMs / 1_000), SHORTEST_RECORDING_MS / 1_000];
    return failed(say('focusRules.length.short', { seconds, least }));
  }
  if (activeMs > LONGEST_RECORDING_MS + SLACK_MS) {
    const [minutes, most] = [Math.ceil(activeMs / 60_000), LONGEST_RECORDING_MS / 60_000];
    return failed(say('focusRules.length.long', { minutes, most }));
  }
  return passed(say('focusRules.length.fits'));
}
