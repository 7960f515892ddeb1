import { CLOCK_SLACK_MS } from '../../../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, failed, passed, type RuleFacts } from './facts.ts';

/**
 * At no time can a recording show more than has gone by since it began: what was made before, or made slower, does. What comes late (the node was away)
 * is no fault: then less is shown than has gone by.
 */
export function clock({ chunks, startedAt }: RuleFacts): Finding {
  const fast = chunks.find(({ activeMs, at }) => activeMs > at - startedAt + CLOCK_SLACK_MS);
  if (fast) return failed(say('focusRules.clock.fast', { second: Math.round(fast.activeMs / 1_000) }));
  return passed(say('focusRules.clock.steady'));
}
