import { CLOCK_SLACK_MS } from '../../../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, failed, passed, type RuleFacts, unknown } from './facts.ts';

/**
 * At no time can a recording show more than has gone by since it began: what was made before, or made slower, does. What comes late (the node was away)
 * is no fault: then less is shown than has gone by. From where the computer's clock was put back, nobody knows how much that was.
 */
export function clock({ chunks, startedAt }: RuleFacts): Finding {
  const fast = chunks.findIndex(({ activeMs, at }) => activeMs > at - startedAt + CLOCK_SLACK_MS);
  const found = chunks[fast];
  if (!found) return passed(say('focusRules.clock.steady'));
  const isPutBack = chunks.slice(0, fast + 1).some(({ at }, index) => at < (chunks[index - 1]?.at ?? startedAt));
  if (isPutBack) return unknown(say('focusRules.clock.putBack'));
  return failed(say('focusRules.clock.fast', { second: Math.round(found.activeMs / 1_000) }));
}
