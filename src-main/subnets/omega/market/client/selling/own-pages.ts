import type { OfferView } from '../../wire.ts';
import type { MarketClient } from '../market-client.ts';
import { pages } from '../pages.ts';

/** Own offers, as the market has them, page by page. */
export const ownPages = (client: MarketClient, signal: AbortSignal): AsyncIterable<readonly OfferView[]> =>
  pages(
    (before) => client.offers(before, signal),
    ({ offers }) => offers,
  );
