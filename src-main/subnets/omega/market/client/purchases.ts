import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChainDraft, SentCall } from '../../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { OwnPurchase, PurchaseStep } from '../../../../../src-preload/contract/trade.ts';
import { type BackOff, backOffMs } from '../../../../base/back-off.ts';
import type { Changes } from '../../../../base/changes.ts';
import { makeFolder } from '../../../../base/folder.ts';
import { Places } from '../../../../base/places.ts';
import { ignoring } from '../../../../base/swallowed.ts';
import type { MarketOrderStore, PurchaseRow } from '../../../../store/market-orders.ts';
import type { PurchaseView } from '../wire.ts';
import { fetchVideo } from './download.ts';
import { isRefusal, refused } from './market-problems.ts';
import { pages } from './pages.ts';
import { patiently } from './patience.ts';
import type { OpenMarket, Payments } from './ports.ts';
import { errorText, purchaseView } from './purchase-view.ts';
import type { Bill, SafePayment } from './safe-payment.ts';

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
  /** Likewise. */
  bytes: number;
}

export const DAY_MS = 24 * 3_600_000;
/** So long before a lock ends nobody begins to pay: the money would come too late. */
const TOO_LATE_MS = 60_000;
/** A lock's end is noticed within so long. */
const LOOK_MS = 5_000;
/** A lock of a market binds what may be spent in a day: no longer than this, whatever the market says. */
const LONGEST_LOCK_MS = DAY_MS;
const OWED_LOOKS: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** Where a video is locked, by whom, and for how long at most by the market's terms. */
interface Locking {
  market: OpenMarket;
  /** ss58 */
  from: string;
  lockMs: number;
}

/** What comes next; false where it rests, until somebody or something moves it. */
type Step = (row: PurchaseRow) => Promise<boolean>;

/**
 * Buys videos, one step after the other, each written down before it is done: whoever is killed amid it goes on at the next start. Money leaves through the wallet's desk
 * alone, after a person's word, once for each purchase, and within the limit of a day.
 */
export class Purchases {
  readonly #options: PurchasesOptions;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  /** By id. */
  readonly #going = new Map<string, Promise<void>>();
  /** Somebody said yes to them, and they are being signed: whether they have a call is not known yet. */
  readonly #signing = new Set<string>();
  /** Bytes of videos that are fetched now: those that are there, and those that come still. */
  readonly #received = new Map<string, number>();
  readonly #missing = new Map<string, number>();
  /** Tries to fetch one: two of a market. */
  readonly #places = new Places(4);
  readonly #steps: Partial<Record<PurchaseStep, Step>> = {
    locking: (row) => this.#wasItLocked(row),
    locked: (row) => this.#untilLockEnds(row),
    paying: (row) => this.#untilFinal(row),
    paid: (row) => this.#verify(row),
    bought: (row) => this.#fetch(row),
    owed: (row) => this.#untilPaidBack(row),
  };

  constructor(options: PurchasesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Goes on with what is not at its end. */
  async open(): Promise<void> {
    for (const { id } of await this.#options.store.openPurchases()) this.#goOn(id);
  }

  /** Stops; the next start goes on. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#going.values());
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
    return this.#view(await this.#row(id));
  }

  /** Rao that were spent or are bound, of the last 24 hours. */
  spent(): Promise<bigint> {
    return this.#options.store.spentSince(this.#now() - DAY_MS);
  }

  /**
   * Locks a video, within the limit of a day. It is written down before the market hears of it. One that is being bought already is not bought a second time.
   * @throws BAD_REQUEST with the field `cap`; CHAIN_UNREACHABLE; what the market says. Nothing is locked then
   */
  async buy(market: OpenMarket, { id: video, title, price, bytes }: WantedVideo): Promise<OwnPurchase> {
    const { store, payments, cap, payer } = this.#options;
    const { signal } = this.#closing;
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
      state: 'locking' as const,
    };
    const { url, key, wallet, hotkey } = market;
    const whole = { ...row, url, market: key, wallet, hotkey, genesis: chain, counts_at: now, created_at: now };
    const added = await store.addPurchase(whole, { since: now - DAY_MS, cap: cap() });
    if (added === 'overCap') throw overCap(cap());
    if (added !== 'added') return this.#again(added, price);
    this.#tell();
    try {
      const told = await market.client.purchase(video, price, signal);
      await this.#keepLock(whole, told, { market, from, lockMs: terms.lockMs });
    } catch (error) {
      // Whoever got no answer may have the lock all the same: that is looked for.
      if (isLost(error)) this.#goOn(row.id);
      else await this.#change(row.id, { state: 'refused', error: errorText(error) });
      throw error;
    }
    this.#goOn(row.id);
    return this.get(row.id);
  }

  /** @throws BAD_REQUEST where it is bought for another price than is asked for now */
  #again(open: PurchaseRow, price: string): OwnPurchase {
    if (open.price !== price) throw refused(say('trade.otherPrice'), 'price');
    return this.#view(open);
  }

  /** The payment of a purchase that is locked, with an id for {@link SafePayment.send}. @throws BAD_REQUEST where it is not to be paid, or was */
  async draft(id: string): Promise<ChainDraft> {
    return this.#options.safe.draft(this.#bill(await this.#row(id)));
  }

  /** Gives a lock back that is not paid. @throws BAD_REQUEST where it is, or may be */
  async revert(id: string): Promise<OwnPurchase> {
    const row = await this.#row(id);
    if (row.state !== 'locked' || row.order_id === null) throw refused(say('trade.notLocked'));
    if (await this.#options.safe.find(this.#bill(row))) throw refused(say('trade.notLocked'));
    const { client } = await this.#options.marketOf(row);
    await client.revert(row.order_id, this.#closing.signal);
    await this.#change(id, { state: 'reverted', error: null });
    return this.get(id);
  }

  /** Forgets a lock that is not paid, without a word to the market, such as where that is gone. @throws BAD_REQUEST where it is, or may be */
  async drop(id: string): Promise<OwnPurchase> {
    const row = await this.#row(id);
    if (row.state === 'locked' && (await this.#options.safe.find(this.#bill(row))))
      throw refused(say('trade.notLocked'));
    if (!(await this.#options.store.dropLock(id))) throw refused(say('trade.notLocked'));
    this.#tell();
    return this.get(id);
  }

  /** Goes on with one that rests, such as after the market was away for long. */
  async goOn(id: string): Promise<OwnPurchase> {
    await this.#row(id);
    await this.#change(id, { rests: 0 });
    this.#goOn(id);
    return this.get(id);
  }

  #bill(row: PurchaseRow): Bill {
    const { id, wallet, genesis, price, pays_from: from, pays_to: to, created_at: since } = row;
    if (from === null || to === null) throw refused(say('trade.notLocked'));
    const order = `market ${row.market}: purchase ${row.order_id}`;
    return {
      wanted: { wallet, to, amount: price },
      trace: { genesis, from, to, amount: price, since, order },
      check: () => this.#checkPayable(id),
      begin: async () => {
        const now = this.#now();
        this.#signing.add(id);
        await this.#change(id, { state: 'paying', paying_since: now, counts_at: now, error: null });
      },
      undo: async () => {
        this.#signing.delete(id);
        await this.#change(id, { state: 'locked', paying_since: null });
      },
      paidBy: async (call) => {
        await this.#change(id, { state: 'paying', call: call.id, call_hash: call.hash, error: null });
        this.#signing.delete(id);
        this.#tell();
      },
      signed: () => this.#goOn(id),
    };
  }

  async #checkPayable(id: string): Promise<void> {
    const { state, locked_until: until } = await this.#row(id);
    if (state === 'paying' || state === 'paid') throw refused(say('trade.paidAlready'));
    if (state !== 'locked') throw refused(say('trade.notLocked'));
    if (this.#now() > (until ?? 0) - TOO_LATE_MS) throw refused(say('trade.tooLate'));
    const { cap, store } = this.#options;
    if ((await store.spentSince(this.#now() - DAY_MS)) > cap()) throw overCap(cap()); // it was lowered since
  }

  /** @throws PROTOCOL where the market locked something else, or for somebody else: then the lock is given back */
  async #keepLock(row: PurchaseRow, told: PurchaseView, { market, from, lockMs }: Locking): Promise<void> {
    const isSame = told.video === row.video && told.price === row.price && told.bytes === (row.bytes ?? told.bytes);
    const isOurs = isSame && told.from === from;
    if (!isOurs) {
      await market.client.revert(told.id, this.#closing.signal).catch(ignoring('its lock ends by itself'));
      throw told.from === from
        ? refused(say('trade.otherLock'))
        : refused(say('trade.otherPayer', { from: told.from, own: from }), 'trade.hotkey');
    }
    const { id: order_id, sha256, bytes, from: pays_from, to: pays_to } = told;
    const locked_until = Math.min(told.lockedUntil, this.#now() + Math.min(lockMs, LONGEST_LOCK_MS));
    const lock = { order_id, sha256, bytes, pays_from, pays_to, locked_until, title: told.title };
    const kept = await this.#options.store.keepLock(row.id, lock);
    this.#tell();
    if (kept === 'taken') throw refused(say('trade.orderTwice')); // it is the other's: not given back
  }

  #goOn(id: string): void {
    if (this.#going.has(id) || this.#closing.signal.aborted) return;
    const going = this.#go(id)
      .catch(async (error: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#options.log.warn({ err: error, purchase: id }, 'a purchase does not go on');
        await this.#change(id, { error: errorText(error) });
      })
      .catch((err: unknown) =>
        this.#options.log.error({ err, purchase: id }, 'why a purchase does not go on cannot be kept'),
      )
      .finally(() => this.#going.delete(id));
    this.#going.set(id, going);
  }

  async #go(id: string): Promise<void> {
    for (;;) {
      const row = await this.#row(id);
      const step = this.#steps[row.state];
      if (!step || !(await step(row))) return;
      this.#closing.signal.throwIfAborted();
    }
  }

  /** Of a purchase that was begun before a crash, or whose answer was lost. */
  async #wasItLocked(row: PurchaseRow): Promise<boolean> {
    const market = await this.#options.marketOf(row);
    const found = await this.#patiently(row.id, () => this.#lockOf(row, market));
    if (!found) {
      await this.#change(row.id, { state: 'expired', error: null });
      return false;
    }
    const from = await this.#options.payer(row.wallet);
    const { terms } = await this.#patiently(row.id, () => market.client.stats(this.#closing.signal));
    await this.#keepLock(row, found, { market, from, lockMs: terms.lockMs }).catch(async (error: unknown) => {
      this.#closing.signal.throwIfAborted();
      await this.#change(row.id, { state: 'refused', error: errorText(error) });
    });
    return true;
  }

  async #lockOf({ video }: PurchaseRow, { client }: OpenMarket): Promise<PurchaseView | undefined> {
    const { signal } = this.#closing;
    const own = pages(
      (before) => client.purchases(before, signal),
      ({ purchases }) => purchases,
    );
    for await (const page of own) {
      const found = page.find((one) => one.video === video && one.state === 'pending');
      if (found) return found;
    }
    return undefined;
  }

  async #untilLockEnds({ id, locked_until: until }: PurchaseRow): Promise<boolean> {
    const row = await this.#whileTrue(id, ({ state }) => state === 'locked' && this.#now() < (until ?? 0));
    if (row.state !== 'locked') return true;
    // Whoever paid without this page has paid, too.
    if (!(await this.#options.safe.find(this.#bill(row)))) await this.#change(id, { state: 'expired' });
    return true;
  }

  async #untilFinal(row: PurchaseRow): Promise<boolean> {
    const { safe, payments } = this.#options;
    if (row.call === null && this.#signing.has(row.id)) {
      await this.#whileTrue(row.id, () => this.#signing.has(row.id));
      return true;
    }
    const id = row.call ?? (await safe.find(this.#bill(row)))?.id;
    if (id === undefined) {
      await this.#change(row.id, { state: 'locked', paying_since: null }); // it was killed before anything was signed
      return true;
    }
    let last: SentCall | undefined;
    for await (const call of payments.watch(id, this.#closing.signal)) last = call;
    if (last?.state === 'done' && last.block !== null) {
      await this.#change(row.id, { state: 'paid', block: last.block, error: null });
      return true;
    }
    this.#closing.signal.throwIfAborted();
    if (last?.state === 'failed' || last?.state === 'expired') {
      const why = last.error ? new QuarryError(last.error) : refused(say('trade.paymentExpired'));
      await this.#change(row.id, {
        state: 'locked',
        call: null,
        call_hash: null,
        paying_since: null,
        error: errorText(why),
      });
      return true;
    }
    throw refused(say('trade.paymentUnknown'), undefined, say('trade.paymentUnknown.hint'));
  }

  async #verify(row: PurchaseRow): Promise<boolean> {
    const { order_id: order, block, call_hash: extrinsic } = row;
    if (order === null || block === null || extrinsic === null) throw refused(say('trade.notLocked'));
    const { client } = await this.#options.marketOf(row);
    const { signal } = this.#closing;
    const told = await this.#patiently(row.id, () => client.verify(order, { block, extrinsic }, signal));
    await this.#keepTold(row, told);
    return true;
  }

  async #untilPaidBack(row: PurchaseRow): Promise<boolean> {
    const { order_id: order } = row;
    if (order === null) return false;
    const { client } = await this.#options.marketOf(row);
    const { between = OWED_LOOKS } = this.#options;
    for (let looks = 1; ; looks++) {
      const told = await this.#patiently(row.id, () => client.purchaseOf(order, this.#closing.signal));
      if (told.state !== 'owed' && (await this.#keepTold(row, told))) return true;
      await this.#pause(backOffMs(looks, between));
      this.#closing.signal.throwIfAborted();
    }
  }

  /** @returns whether it is somewhere else by that than «owed» */
  async #keepTold(row: PurchaseRow, told: PurchaseView): Promise<boolean> {
    const { state, keptUntil: kept_until } = told;
    if (state === 'settled') return this.#keepSettled(row, told);
    const next = ({ paid: 'bought', owed: 'owed' } as const)[state as 'paid' | 'owed'];
    if (!next) throw refused(say('trade.notTaken', { state }));
    await this.#change(row.id, { state: next, kept_until, error: null });
    return next !== 'owed';
  }

  /** A market may say that the money came back: the chain has to. @returns whether it did */
  async #keepSettled(row: PurchaseRow, { paidBack }: PurchaseView): Promise<boolean> {
    const { genesis, pays_from: to, pays_to: from, price: amount, block: after } = row;
    try {
      if (!paidBack || to === null || from === null || after === null) throw refused(say('trade.notBack'));
      if (await this.#options.store.isBack(genesis, paidBack.extrinsic)) throw refused(say('trade.notBack'));
      const transfer = { from, to, amount, after, ...paidBack };
      await this.#patiently(row.id, () => this.#options.payments.arrived(transfer));
      await this.#change(row.id, { state: 'settled', back_hash: paidBack.extrinsic, error: null });
      return true;
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      await this.#change(row.id, { state: 'owed', error: errorText(error) });
      return false;
    }
  }

  async #fetch(row: PurchaseRow): Promise<boolean> {
    const { id, order_id: purchase, sha256, bytes } = row;
    if (purchase === null || sha256 === null || bytes === null) return false;
    const { folder } = this.#options;
    await makeFolder(folder, 0o700);
    const path = join(folder, `${id}.webm`);
    const { client } = await this.#options.marketOf(row);
    const { signal } = this.#closing;
    const onBytes = (received: number) => {
      this.#received.set(id, received);
      this.#missing.set(id, bytes - received);
    };
    const inTurn = (work: () => Promise<void>) => this.#places.take(work, { party: row.market, signal });
    const othersNeed = () =>
      [...this.#missing].reduce((sum, [other, missing]) => (other === id ? sum : sum + missing), 0);
    const wanted = { ...{ purchase, sha256, bytes, path, onBytes, inTurn, othersNeed }, ...this.#waiting(id) };
    await fetchVideo(client, wanted, signal)
      .catch(async (error: unknown) => {
        // The same again with every start would be as many bytes as the market likes.
        if (error instanceof QuarryError && error.code === 'PROTOCOL') await this.#change(id, { rests: 1 });
        throw error;
      })
      .finally(() => {
        this.#received.delete(id);
        this.#missing.delete(id);
      });
    await this.#change(id, { state: 'fetched', file: path, error: null });
    return true;
  }

  #patiently<T>(id: string, work: () => Promise<T>): Promise<T> {
    return patiently(work, this.#closing.signal, this.#waiting(id));
  }

  #waiting(id: string) {
    const { between } = this.#options;
    const onWait = (error: QuarryError) => this.#change(id, { error: errorText(error) });
    return { onWait, ...(between && { between }) };
  }

  /** Waits as long as something is so: looked at with every change. */
  async #whileTrue(id: string, is: (row: PurchaseRow) => boolean): Promise<PurchaseRow> {
    const { changes } = this.#options;
    for (;;) {
      const { count } = changes;
      const row = await this.#row(id);
      if (!is(row)) return row;
      await changes.after(count, this.#closing.signal, LOOK_MS);
      this.#closing.signal.throwIfAborted();
    }
  }

  async #pause(ms: number): Promise<void> {
    const waited = pause(Math.min(ms, DAY_MS), undefined, { signal: this.#closing.signal });
    await waited.catch(ignoring('the signal tells'));
    this.#closing.signal.throwIfAborted();
  }

  async #change(id: string, change: Parameters<MarketOrderStore['changePurchase']>[1]): Promise<void> {
    await this.#options.store.changePurchase(id, change);
    this.#tell();
  }

  #tell(): void {
    this.#options.changes.tell();
  }

  async #row(id: string): Promise<PurchaseRow> {
    const row = await this.#options.store.purchase(id);
    if (row) return row;
    throw refused(say('trade.unknownPurchase'), 'id');
  }

  #view(row: PurchaseRow): OwnPurchase {
    return purchaseView(row, this.#received.get(row.id) ?? 0);
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

const overCap = (cap: bigint) =>
  cap === 0n
    ? refused(say('trade.noCap'), 'cap', say('trade.noCap.hint'))
    : refused(say('trade.overCap'), 'cap', say('trade.overCap.hint'));
