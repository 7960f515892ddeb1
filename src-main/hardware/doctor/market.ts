import type { MarketState } from '../../../src-preload/contract/market.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** Whether the market that is set is open, and sells. One that could not be opened says why. */
export function checkMarket({ error, port, scores, offers }: MarketState): CheckResult {
  const name = 'market';
  if (error) {
    const { message: found, hint: advice, said } = error;
    const worded = said && { ...(said.message && { found: said.message }), ...(said.hint && { advice: said.hint }) };
    return { name, status: 'fail', found, ...(advice !== undefined && { advice }), ...(worded && { said: worded }) };
  }
  if (port === null)
    return { name, status: 'fail', ...told({ found: say('market.notServed'), advice: say('market.notServed.hint') }) };
  if (!scores)
    return { name, status: 'warn', ...told({ found: say('market.noScorer'), advice: say('market.noScorer.advice') }) };
  const waiting = (offers.processing ?? 0) + (offers.review ?? 0);
  return {
    name,
    status: 'ok',
    ...told({ found: say('market.listens', { port: String(port), listed: offers.submitted ?? 0, waiting }) }),
  };
}
