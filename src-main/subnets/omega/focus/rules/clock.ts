import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';

/** A chunk may come late, and be longer than its second, on a busy computer. */
const SLACK_MS = 3_000;
const LONGEST_CHUNK_MS = 5_000;

/**
 * A recording cannot show more time than has gone by while it came in: what was made before, or made slower, does. What comes late (the node was away)
 * is no fault: then less is shown than has gone by.
 */
export function clock({ seconds }: FocusFacts): Finding {
  const [first] = seconds;
  if (!first) return passed(say('focusRules.clock.steady'));
  let before = first;
  for (const second of seconds) {
    if (second.activeMs - first.activeMs > second.at - first.at + SLACK_MS) {
      return failed(say('focusRules.clock.fast', { second: Math.round(second.activeMs / 1_000) }));
    }
    const gapMs = second.activeMs - before.activeMs;
    if (gapMs > LONGEST_CHUNK_MS) {
      const at = Math.round(before.activeMs / 1_000);
      return failed(say('focusRules.clock.gap', { second: at, missing: Math.round(gapMs / 1_000) - 1 }));
    }
    before = second;
  }
  return passed(say('focusRules.clock.steady'));
}
