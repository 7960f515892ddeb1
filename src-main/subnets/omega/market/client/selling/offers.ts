import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { OwnOffer } from '../../../../../../src-preload/contract/trade.ts';
import type { BackOff } from '../../../../../base/back-off.ts';
import type { Changes } from '../../../../../base/changes.ts';
import type { Debt, OfferRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { OfferView } from '../../wire.ts';
import { refused } from '../market-problems.ts';
import type { OfferedRecordings, OfferedVideo, OpenMarket, Sending } from '../ports.ts';
import { KeptOffers, OVER } from './kept-offers.ts';
import { newOfferFile } from './offer-claim.ts';
import { OfferSending } from './offer-sending.ts';
import { mayAppeal, ON_THEIR_WAY, offerView } from './offer-view.ts';
import { OfferWatch, SOLD_MS } from './offer-watch.ts';

export interface OffersOptions {
  store: MarketOrderStore;
  /** The market of an offer, whatever is set by now. */
  marketOf: (row: Pick<OfferRow, 'url' | 'market' | 'wallet' | 'hotkey'>) => Promise<OpenMarket>;
  recordings: OfferedRecordings;
  /** Told before the first byte leaves this computer; where it throws, none does. */
  onSending: (sending: Sending) => Promise<void>;
  /** Whether a debt is being paid back. */
  isPaying: (debt: Debt) => Promise<boolean>;
  changes: Changes;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  between?: BackOff;
  /** Between looks at how offers stand. */
  looks?: BackOff;
}

/** What is asked for beside the video itself. */
export interface OfferTerms {
  recording: string;
  /** Rao, at most; null for the market's price. */
  wish: string | null;
  /** ss58 of who is paid. */
  seller: string;
}

/**
 * Offers videos, and follows them: what was begun goes on after a kill, from the byte on that the market lacks. Nothing leaves this computer before {@link send}.
 */
export class Offers {
  readonly #options: OffersOptions;
  readonly #now: () => number;
  readonly #kept: KeptOffers;
  readonly #sending: OfferSending;
  readonly #watch: OfferWatch;

  constructor(options: OffersOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#kept = new KeptOffers(options);
    const all = { ...options, kept: this.#kept, now: this.#now };
    this.#sending = new OfferSending({ ...all, onSent: () => this.#watch.lookSoon() });
    this.#watch = new OfferWatch({ ...all, sending: this.#sending });
  }

  /** Goes on with what was being sent, and follows what is offered; recordings of which a kill has left another state than their offers have. Idempotent. */
  async open(): Promise<void> {
    const { store, recordings } = this.#options;
    const open = await store.openOffers(this.#now() - SOLD_MS);
    // Of others there is nothing to mend: one without an open offer is itself still «offered» where a kill has left it behind.
    const left = [...open.map(({ recording }) => recording), ...(await recordings.offered())];
    for (const id of new Set(left)) await this.#kept.follow(id);
    for (const { id, state } of open) if (ON_THEIR_WAY.has(state)) this.#sending.start(id);
    this.#watch.open();
  }

  /** Stops; the next start goes on. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#sending.close(), this.#watch.ended()]);
  }

  /** Those that are not over, and the newest; newest first. */
  async list(): Promise<OwnOffer[]> {
    return this.#views(await this.#options.store.shownOffers(this.#now() - SOLD_MS));
  }

  /** All, by page, newest first. @param before id of the last one that is known */
  async page({ before, limit }: { before?: string | undefined; limit: number }) {
    const rows = await this.#options.store.offers({ before, limit: limit + 1 });
    return { offers: await this.#views(rows.slice(0, limit)), more: rows.length > limit };
  }

  #views(rows: readonly OfferRow[]): Promise<OwnOffer[]> {
    return Promise.all(rows.map((row) => offerView(row, this.#options.isPaying)));
  }

  /** @throws BAD_REQUEST where there is none */
  async get(id: string): Promise<OwnOffer> {
    return offerView(await this.row(id), this.#options.isPaying);
  }

  /** Writes down what would be sent. Nothing leaves this computer. */
  async prepare(
    market: Omit<OpenMarket, 'client'>,
    { path, about }: OfferedVideo,
    terms: OfferTerms,
  ): Promise<OwnOffer> {
    const now = this.#now();
    const { sha256, bytes, durationMs, scoreCard, chain, title, description, kind } = about;
    const { url, key, wallet, hotkey } = market;
    const id = randomBytes(16).toString('hex');
    const file = newOfferFile(dirname(path)); // its own: another offer of the recording may be taken back
    await rename(path, file);
    const row: OfferRow = {
      ...{ id, url, market: key, wallet, hotkey },
      ...{ ...terms, title, description, kind, file, sha256, bytes, duration_ms: durationMs },
      ...{ score_card: JSON.stringify(scoreCard), chain: JSON.stringify(chain), state: 'prepared' },
      ...{
        offer_id: null,
        sent_bytes: 0,
        left_bytes: 0,
        begun_again: 0,
        score: null,
        price: null,
        reason: null,
        owed: '[]',
        error: null,
      },
      ...{ created_at: now, changed_at: now },
    };
    await this.#options.store.addOffer(row);
    this.#options.changes.tell();
    return this.get(row.id);
  }

  /**
   * Sends what was prepared, and goes on with what rests; it goes on by itself.
   * @throws BAD_REQUEST where that was done already, and where its recording is not ready (any more); what the consent log throws
   */
  async send(id: string): Promise<OwnOffer> {
    await this.#kept.inTurn(async () => {
      const row = await this.row(id);
      if (this.#sending.isResting(row)) await this.#options.store.changeOffer(id, { error: null, begun_again: 0 });
      else await this.#sending.begin(row);
    });
    this.#options.changes.tell();
    this.#sending.start(id);
    return this.get(id);
  }

  /** Takes an offer back; what was only prepared is forgotten. @throws what the market says, such as that it is sold */
  async withdraw(id: string): Promise<void> {
    const row = await this.row(id);
    if (row.offer_id !== null && !OVER.has(row.state)) {
      const { client } = await this.#options.marketOf(row);
      await this.#kept.keepTold(row, await client.withdraw(row.offer_id, this.#sending.signal));
    } else if (row.state === 'sending' && !this.#sending.isResting(row)) {
      throw refused(say('trade.beingSent'));
    } else {
      if (mayAppeal(row)) await this.#deleteThere(row);
      await this.#options.store.removeOffer(id);
      await this.#kept.follow(row.recording);
    }
    await rm(row.file, { force: true });
    this.#options.changes.tell();
  }

  /** Has a person of the market look at what its model rejected. @throws BAD_REQUEST for any other; what the market says, such as that it has the video no more */
  async appeal(id: string, note: string): Promise<OwnOffer> {
    const row = await this.row(id);
    if (row.offer_id === null || !mayAppeal(row)) throw refused(say('trade.noAppeal'));
    const { client } = await this.#options.marketOf(row);
    await this.#kept.keepTold(row, await client.appeal(row.offer_id, note, this.#sending.signal));
    this.lookSoon();
    return this.get(id);
  }

  /** Told that something has changed at the market: it is looked at soon. */
  lookSoon(): void {
    this.#watch.lookSoon();
  }

  /** Keeps what the market says of an offer. */
  async keep(id: string, told: OfferView): Promise<void> {
    await this.#kept.keepTold(await this.row(id), told);
  }

  /** @throws BAD_REQUEST where there is none */
  row(id: string): Promise<OfferRow> {
    return this.#kept.row(id);
  }

  /** The market has its bytes a while longer, unless it is told. */
  async #deleteThere(row: OfferRow): Promise<void> {
    try {
      const { client } = await this.#options.marketOf(row);
      await client.withdraw(row.offer_id ?? '', this.#sending.signal);
    } catch (err) {
      this.#options.log.info({ err, offer: row.id }, 'the market deletes a rejected video when its time is over');
    }
  }
}
