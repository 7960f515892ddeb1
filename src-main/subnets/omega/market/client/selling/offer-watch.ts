import type { Logger } from 'pino';
import { type BackOff, backOffMs } from '../../../../../base/back-off.ts';
import { Changes } from '../../../../../base/changes.ts';
import type { OfferRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { OpenMarket } from '../ports.ts';
import type { KeptOffers } from './kept-offers.ts';
import type { OfferSending } from './offer-sending.ts';
import { rests } from './offer-view.ts';
import { ownPages } from './own-pages.ts';

export interface OfferWatchOptions {
  kept: KeptOffers;
  store: MarketOrderStore;
  sending: OfferSending;
  marketOf: (row: OfferRow) => Promise<OpenMarket>;
  log: Logger;
  /** Unix milliseconds. */
  now: () => number;
  /** Between looks. */
  looks?: BackOff;
}

/** After each change from the first on; nothing changes by the minute. */
const LOOKS: BackOff = { firstMs: 10_000, longestMs: 10 * 60_000, growth: 1.5 };
/** For so long after it was sold somebody may have paid too late: a market takes such payments for a day. */
export const SOLD_MS = 2 * 24 * 3_600_000;

/** Looks at how offers stand at their markets, until the sending is closed. */
export class OfferWatch {
  readonly #options: OfferWatchOptions;
  /** Told of offers that are to be looked at anew. */
  readonly #wake = new Changes();
  #looking: Promise<void> | undefined;

  constructor(options: OfferWatchOptions) {
    this.#options = options;
  }

  /** Idempotent. */
  open(): void {
    this.#looking ??= this.#look();
  }

  /** Resolves once it looks no more. */
  async ended(): Promise<void> {
    await this.#looking;
  }

  /** Told that something has changed at a market. */
  lookSoon(): void {
    this.#wake.tell();
  }

  /** Looks at how offers stand, with growing pauses between which nothing has changed. */
  async #look(): Promise<void> {
    const { signal } = this.#options.sending;
    const { looks = LOOKS, log } = this.#options;
    for (let quiet = 1; !signal.aborted; quiet++) {
      const { count } = this.#wake;
      const changed = await this.#lookOnce().catch((err: unknown) => {
        if (!signal.aborted) log.info({ err }, 'it is not known how offers stand');
        return false;
      });
      if (changed) quiet = 0;
      await this.#wake.after(count, signal, backOffMs(Math.max(1, quiet), looks));
      if (this.#wake.count > count) quiet = 0;
    }
  }

  /** All of a market are asked for together: it answers a few times a minute. @returns whether any of them has changed */
  async #lookOnce(): Promise<boolean> {
    const open = await this.#options.store.openOffers(this.#options.now() - SOLD_MS);
    const rows = open.filter(({ id, offer_id }) => offer_id !== null && !this.#options.sending.has(id));
    const markets = Map.groupBy(rows, ({ url, market, wallet, hotkey }) =>
      JSON.stringify([url, market, wallet, hotkey]),
    );
    let changed = false;
    for (const ofOne of markets.values()) changed = (await this.#lookAt(ofOne)) || changed;
    return changed;
  }

  /** @param rows of one market and hotkey */
  async #lookAt(rows: readonly OfferRow[]): Promise<boolean> {
    const [first] = rows;
    if (!first) return false;
    const { client } = await this.#options.marketOf(first);
    const wanted = new Map(rows.map((row) => [row.offer_id, row]));
    let changed = false;
    for await (const page of ownPages(client, this.#options.sending.signal)) {
      for (const told of page) {
        const row = wanted.get(told.id);
        wanted.delete(told.id);
        if (row) changed = (await this.#options.kept.keepTold(row, told)) || changed;
        if (row && told.state === 'uploading' && !rests(await this.#options.kept.row(row.id)))
          this.#options.sending.start(row.id);
      }
      if (wanted.size === 0) break;
    }
    return changed;
  }
}
