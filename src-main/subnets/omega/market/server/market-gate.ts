import { Gate, type GateOptions, perMinute, type Rates } from '../../../../bittensor/signed-requests/gate.ts';
import { MARKET_TAG } from '../signing.ts';
import type { MARKET_ROUTES } from '../wire.ts';

export type MarketRoute = keyof typeof MARKET_ROUTES;
export type MarketGate = Gate<MarketRoute>;

/** How often a market may be asked (the first three routes are OMEGA’s: its sheet, B13). */
export const RATES: Rates<MarketRoute> = {
  address: { perSecond: 20, burst: 200 },
  hotkey: { perSecond: 8, burst: 60 },
  routes: {
    list: perMinute(5),
    purchase: perMinute(2),
    verify: perMinute(4),
    revert: perMinute(4),
    settle: perMinute(4),
    submit: perMinute(4),
    appeal: perMinute(4),
    stats: perMinute(20),
  },
};

/** What a market is called where it signs, and remembers. @param market ss58 of its hotkey */
export const marketNames = (market: string) => ({ tag: MARKET_TAG, name: 'market', server: market });

/** Whom a market listens to. */
export function openMarketGate({
  market,
  ...rest
}: Pick<GateOptions<MarketRoute>, 'store' | 'marks' | 'signatures' | 'now'> & { market: string }): Promise<MarketGate> {
  return Gate.open({ ...marketNames(market), rates: RATES, ...rest });
}
