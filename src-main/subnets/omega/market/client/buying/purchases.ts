import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ChainDraft } from '../../../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { OwnPurchase, PurchaseStep } from '../../../../../../src-preload/contract/trade.ts';
import type { BackOff } from '../../../../../base/back-off.ts';
import type { Changes } from '../../../../../base/changes.ts';
import { OngoingWork } from '../../../../../base/ongoing-work.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import { errorText } from '../kept-error.ts';
import { isRefusal, overCap, refused } from '../market-problems.ts';
import type { OpenMarket, Payments } from '../ports.ts';
import type { SafePayment } from '../safe-payment.ts';
import { KeptPurchases, type Step } from './kept-purchases.ts';
import { PurchaseDownloads } from './purchase-downloads.ts';
import { lockEnd, PurchaseLocks } from './purchase-locks.ts';
import { PurchasePayments } from './purchase-payments.ts';
import { purchaseView } from './purchase-view.ts';

export interface PurchasesOptions {
  store: MarketOrderStore;
  /** The market of a purchase, whatever is set by now. @throws what opening its hotkey throws */
  marketOf: (row: Pick<PurchaseRow, 'url' | 'market' | 'wallet' | 'hotkey'>) => Promise<OpenMarket>;
  payments: Payments;
  safe: SafePayment;
  /** ss58 of a wallet's coldkey. */
  payer: (wallet: string) => Promise<string>;
  /** Rao that may be spent in 24 hours. */
  cap: () => bigint;
  /** For videos. */
  folder: string;
  changes: Changes;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** Between tries, and between looks at what is owed. */
  between?: BackOff;
}

/** What is bought of a list. */
export interface WantedVideo {
  id: string;
  title: string;
  /** Rao, as the list showed it. */
  price: string;
  /** Likewise; and ss58 of who is paid. */
  bytes: number;
  seller: string;
}

/**
 * Buys videos, one step after the other, each written down before it is done: whoever is killed amid it goes on at the next start. Money leaves through the wallet's desk
 * alone, after a person's word, once for each purchase, and within the limit of a day.
 */
export class Purchases {
  readonly #options: PurchasesOptions;
  readonly #now: () => number;
  readonly #ongoing: OngoingWork;
  readonly #kept: KeptPurchases;
  readonly #locks: PurchaseLocks;
  readonly #paying: PurchasePayments;
  readonly #downloads: PurchaseDownloads;
  readonly #steps: Partial<Record<PurchaseStep, Step>>;

  constructor(options: PurchasesOptions) {
    this.#options = options;
    const { store, changes, between, log, now = Date.now } = options;
    this.#now = now;
    this.#ongoing = new OngoingWork({
      what: 'purchase',
      work: (id) => this.#go(id),
      onFailed: (id, error) => this.#kept.change(id, { error: errorText(error) }),
      log,
    });
    this.#kept = new KeptPurchases({ store, changes, between, signal: this.#ongoing.signal });
    const all = { ...options, kept: this.#kept, now };
    const isReverting = (id: string) => this.#locks.isReverting(id);
    this.#paying = new PurchasePayments({ ...all, isReverting, onSigned: (id) => this.#ongoing.start(id) });
    this.#locks = new PurchaseLocks({ ...all, isPaid: (row) => this.#paying.isPaid(row) });
    this.#downloads = new PurchaseDownloads(all);
    this.#steps = {
      locking: (row) => this.#locks.find(row),
      locked: (row) => this.#locks.untilItEnds(row),
      paying: (row) => this.#paying.untilFinal(row),
      paid: (row) => this.#paying.verify(row),
      bought: (row) => this.#downloads.fetch(row),
      owed: (row) => this.#paying.untilPaidBack(row),
    };
  }

  /** Goes on with what is not at its end. */
  async open(): Promise<void> {
    for (const { id } of await this.#options.store.openPurchases()) this.#ongoing.start(id);
  }

  /** Stops; the next start goes on. Idempotent. */
  close(): Promise<void> {
    return this.#ongoing.close();
  }

  /** Those that are not over, and the newest; newest first. */
  async list(): Promise<OwnPurchase[]> {
    return (await this.#options.store.shownPurchases()).map((row) => this.#view(row));
  }

  /** All, by page, newest first. @param before id of the last one that is known */
  async page({ before, limit }: { before?: string | undefined; limit: number }) {
    const rows = await this.#options.store.purchases({ before, limit: limit + 1 });
    return { purchases: rows.slice(0, limit).map((row) => this.#view(row)), more: rows.length > limit };
  }

  /** @throws BAD_REQUEST where there is none */
  async get(id: string): Promise<OwnPurchase> {
    return this.#view(await this.#kept.row(id));
  }

  /** Rao that were spent or are bound, of the last 24 hours. */
  spent(): Promise<bigint> {
    return this.#options.store.spent(this.#now());
  }

  /**
   * Locks a video, within the limit of a day. It is written down before the market hears of it. One that is being bought already is not bought a second time.
   * @throws BAD_REQUEST with the field `cap`; CHAIN_UNREACHABLE; what the market says. Nothing is locked then
   */
  async buy(market: OpenMarket, { id: video, title, price, bytes, seller }: WantedVideo): Promise<OwnPurchase> {
    const { store, payments, cap, payer } = this.#options;
    const { signal } = this.#ongoing;
    const { chain, terms } = await market.client.stats(signal);
    if ((await payments.genesis()) !== chain) throw refused(say('trade.otherChain'), 'bittensor.network');
    const from = await payer(market.wallet);
    if ((await payments.spendable(from)) <= BigInt(price)) throw refused(say('trade.tooPoor', { from }), 'price');
    const now = this.#now();
    const row = {
      ...EMPTY,
      id: randomBytes(16).toString('hex'),
      video,
      title,
      price,
      bytes,
      pays_to: seller,
      state: 'locking' as const,
    };
    const { url, key, wallet, hotkey } = market;
    const times = { locked_until: lockEnd(now, terms.lockMs), counts_at: now, created_at: now };
    const whole = { ...row, url, market: key, wallet, hotkey, genesis: chain, ...times };
    const added = await store.addPurchase(whole, { now, cap: cap() });
    if (added === 'overCap') throw overCap(cap());
    if (added !== 'added') return this.#again(added, price);
    this.#kept.tell();
    try {
      const told = await market.client.purchase(video, price, signal);
      await this.#locks.keep(whole, told, { market, from });
    } catch (error) {
      // Whoever got no answer may have the lock all the same: that is looked for.
      if (isLost(error)) this.#ongoing.start(row.id);
      else await this.#kept.endLock(row.id, ['locking'], { state: 'refused', error: errorText(error) });
      throw error;
    }
    this.#ongoing.start(row.id);
    return this.get(row.id);
  }

  /** @throws BAD_REQUEST where it is bought for another price than is asked for now, or is nothing that is under way */
  #again(open: PurchaseRow, price: string): OwnPurchase {
    if (open.state === 'fetched' || open.state === 'owed') throw refused(say('trade.paidAlready'));
    if (open.price !== price) throw refused(say('trade.otherPrice'), 'price');
    return this.#view(open);
  }

  /** The payment of a purchase that is locked, with an id for {@link SafePayment.send}. @throws BAD_REQUEST where it is not to be paid, or was */
  async draft(id: string): Promise<ChainDraft> {
    return this.#paying.draft(await this.#kept.row(id));
  }

  /** Gives a lock back that is not paid. @throws BAD_REQUEST where it is, or may be */
  async revert(id: string): Promise<OwnPurchase> {
    await this.#locks.revert(await this.#kept.row(id));
    return this.get(id);
  }

  /** Forgets a lock that is not paid, without a word to the market, such as where that is gone. @throws BAD_REQUEST where it is, or may be */
  async drop(id: string): Promise<OwnPurchase> {
    await this.#locks.drop(await this.#kept.row(id));
    return this.get(id);
  }

  /** Goes on with one that rests, such as after the market was away for long. */
  async goOn(id: string): Promise<OwnPurchase> {
    await this.#kept.row(id);
    await this.#kept.change(id, { rests: 0 });
    this.#kept.hurry();
    this.#ongoing.start(id);
    return this.get(id);
  }

  async #go(id: string): Promise<void> {
    for (;;) {
      const row = await this.#kept.row(id);
      const step = this.#steps[row.state];
      if (!step || !(await step(row))) return;
      this.#ongoing.signal.throwIfAborted();
    }
  }

  #view(row: PurchaseRow): OwnPurchase {
    return purchaseView(row, this.#downloads.received(row.id));
  }
}

/** Of a purchase that was never locked. */
const EMPTY = {
  ...{ order_id: null, sha256: null, rests: 0, pays_from: null, pays_to: null, locked_until: null },
  ...{
    kept_until: null,
    paying_since: null,
    call: null,
    call_hash: null,
    block: null,
    back_hash: null,
    file: null,
    error: null,
  },
};

/** Whether a request may have been done although its answer says otherwise, or there is none. */
const isLost = (error: unknown) =>
  error instanceof QuarryError &&
  (error.code === 'DEADLINE' || error.code === 'PROTOCOL' || isRefusal(error, 'INTERNAL'));
