import { say } from '../../../../../src-preload/contract/saying.ts';
import { type Finding, type FocusFacts, failed, passed } from './facts.ts';

/** Every chunk is as it was signed when it came, and none is gone or moved. */
export function chain({ chain: { brokenAt } }: FocusFacts): Finding {
  if (brokenAt !== null) return failed(say('focusRules.chain.broken', { second: brokenAt + 1 }));
  return passed(say('focusRules.chain.whole'));
}
