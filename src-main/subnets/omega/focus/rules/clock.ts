import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';

/** A chunk may come late on a busy computer. */
const SLACK_MS = 3_000;

/**
 * A recording cannot show more time than has gone by while it came in: what was made before, or made slower, does. What comes late (the node was away)
 * is no fault: then less is shown than has gone by.
 */
export function clock({ seconds }: FocusFacts): Finding {
  const [first] = seconds;
  if (!first) return passed(say('focusRules.clock.steady'));
  const fast = seconds.find(({ activeMs, at }) => activeMs - first.activeMs > at - first.at + SLACK_MS);
  if (fast) return failed(say('focusRules.clock.fast', { second: Math.round(fast.activeMs / 1_000) }));
  return passed(say('focusRules.clock.steady'));
}
