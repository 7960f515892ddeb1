import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { TurnsOf } from '../../../../base/turns-of.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { MarketChange } from '../../../../store/market/market-change.ts';
import type { Offer, Purchase } from '../../../../store/market/market-rows.ts';
import { leftOf } from '../rules/budget.ts';
import { afterFailure, againstLock, bannedFor } from '../rules/buyer.ts';
import { onPaid } from '../rules/states.ts';
import type { MarketTerms } from '../rules/terms.ts';
import type { Paid } from '../wire.ts';
import { BY_PAYMENT, BY_TIME } from './actors.ts';
import { FailedLooks } from './failed-looks.ts';
import { asked, checkedPayment, type MarketChain, ownerOf } from './payment-check.ts';
import { notFound, Problem } from './problem.ts';

export interface SalesOptions {
  store: MarketStore;
  chain: MarketChain;
  terms: MarketTerms;
  /** Rao that miners get for videos in a day. */
  pool: () => bigint;
  /** 32 hex. */
  newId: () => string;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/** Locks that end together: requests go on between them. */
const ENDED_AT_ONCE = 10;

/**
 * Locks, payments, and what ends a lock. Each step looks and writes in one transaction, so a crash leaves nothing half done; what is done with one video waits for
 * what is being done with it, so a lock does not run out while its payment is being looked for.
 */
export class Sales {
  readonly #options: SalesOptions;
  readonly #turns = new TurnsOf();
  readonly #failed: FailedLooks;
  /** Locks of which a payment was told that is not final yet. A new start forgets them, and gives all that have run out some time. */
  readonly #told = new Set<string>();

  constructor(options: SalesOptions) {
    this.#options = options;
    this.#failed = new FailedLooks(options.now);
  }

  /**
   * Locks a video for a buyer.
   * @param price rao, as the buyer has seen it
   * @throws Problem FORBIDDEN, BANNED, NOT_FOUND, GONE, LOCKED, PRICE, RATE_LIMIT, BUDGET, UNAVAILABLE
   */
  async lock(hotkey: string, video: string, price: bigint): Promise<{ purchase: Purchase; isNew: boolean }> {
    const { chain, store } = this.#options;
    forSale(await store.offer(video)); // before the chain is asked, and again below
    const buyer = await ownerOf(chain, hotkey);
    const head = await asked(() => chain.head());
    return store.change(async (change) => {
      const offer = forSale(await change.offer(video));
      const held = await change.holder(video);
      if (held?.state === 'pending' && held.hotkey === hotkey) return { purchase: held, isNew: false };
      await this.#refuseBuyer(change, buyer, offer);
      if (held) throw this.#isLocked(held);
      if (offer.price !== price) throw new Problem('PRICE', `It costs ${offer.price} rao.`, { field: 'price' });
      await this.#refuseOverBudget(change, price);
      const purchase = this.#purchase({ hotkey, buyer, head }, offer, price);
      await change.addPurchase(purchase);
      await change.setOffer(video, { state: 'purchasePending' }, hotkey, this.#options.now());
      return { purchase, isNew: true };
    });
  }

  /**
   * Takes a payment. Once it is taken, asking again gives the same answer; the chain is not asked for that, nor for what is another’s.
   * @throws Problem NOT_FOUND, PAYMENT, TOO_EARLY, UNAVAILABLE, RATE_LIMIT
   */
  async verify(hotkey: string, id: string, { block, extrinsic }: Paid): Promise<Purchase> {
    const { store, chain, now } = this.#options;
    const { offer } = await this.#own(hotkey, id);
    return this.#turns.take(offer, async () => {
      const {
        state,
        buyer: from,
        seller: to,
        price,
        afterBlock: since,
        untilBlock: until,
      } = await this.#own(hotkey, id);
      if (onPaid(state, true) === state) return this.#own(hotkey, id);
      const use: Parameters<MarketChain['takePayment']>[0]['use'] = (payment) =>
        store.change(async (change) => {
          if (!(await change.usePayment(payment))) return false;
          await settle(change, id, { block, extrinsic, at: now() });
          return true;
        });
      const terms = { order: `market ${id}`, from, to, atLeast: price, atMost: price, since, until };
      const look = { chain, failed: this.#failed, teller: from };
      await checkedPayment(look, { use }, { block, extrinsic }, terms).catch((error: unknown) => {
        const code = error instanceof Problem ? error.code : undefined;
        if (code === 'TOO_EARLY' && state === 'pending') this.#told.add(id);
        if (code === 'PAYMENT') this.#told.delete(id); // it is final, and none
        throw error;
      });
      this.#told.delete(id);
      return this.#own(hotkey, id);
    });
  }

  /** Ends an own lock. Where it has ended, nothing changes. @throws Problem NOT_FOUND, CONFLICT for what is paid */
  async revert(hotkey: string, id: string): Promise<Purchase> {
    const { offer } = await this.#own(hotkey, id);
    return this.#turns.take(offer, async () => {
      const { state } = await this.#own(hotkey, id);
      if (state === 'pending') await this.#end(id, 'reverted', hotkey);
      else if (state !== 'reverted' && state !== 'expired') throw new Problem('CONFLICT', 'It is paid already.');
      return this.#own(hotkey, id);
    });
  }

  /** Locks that ran out while there was no market: nobody could tell it that he has paid. */
  async extendLapsed(ms: number): Promise<void> {
    const { store, now } = this.#options;
    for (let lapsed = await store.lapsed(now()); lapsed.length > 0; lapsed = await store.lapsed(now())) {
      for (const { id } of lapsed) {
        await store.change((change) => change.setPurchase(id, { lockedUntil: now() + ms }, BY_TIME, now()));
      }
    }
  }

  /** Ends the locks that have run out. */
  async endLapsed(): Promise<void> {
    const { store, now, log } = this.#options;
    const lapsed = await store.lapsed(now());
    const ending: Promise<void>[] = [];
    for (let at = 0; at < lapsed.length; at += ENDED_AT_ONCE) {
      const some = lapsed
        .slice(at, at + ENDED_AT_ONCE)
        .map(({ id, offer }) =>
          this.#turns
            .take(offer, () => this.#end(id, 'expired', BY_TIME))
            .catch((err: unknown) => log.error({ err, purchase: id }, 'a lock could not be ended')),
        );
      ending.push(...some);
      await setImmediate();
    }
    await Promise.all(ending); // one whose payment is being looked for keeps no other waiting
  }

  /**
   * A seller has paid back what came too late.
   * @throws Problem NOT_FOUND, CONFLICT where nothing is owed, PAYMENT, TOO_EARLY, UNAVAILABLE, RATE_LIMIT
   */
  async settleOwed(hotkey: string, offerId: string, id: string, { block, extrinsic }: Paid): Promise<void> {
    const { store, chain, now } = this.#options;
    await this.#turns.take(offerId, async () => {
      const offer = await store.offer(offerId);
      const purchase = await store.purchase(id);
      if (offer?.hotkey !== hotkey || purchase?.offer !== offerId) throw notFound('purchase');
      if (purchase.state === 'settled') return;
      if (purchase.state !== 'owed') throw new Problem('CONFLICT', 'Nothing is owed for this purchase.');
      const { seller: from, buyer: to, price, payment } = purchase;
      const use: Parameters<MarketChain['takePayment']>[0]['use'] = (back) =>
        store.change(async (change) => {
          if (!(await change.usePayment(back))) return false;
          await change.setPurchase(id, { state: 'settled', paidBack: { block, extrinsic } }, hotkey, now());
          return true;
        });
      const terms = { order: `market back ${id}`, from, to, atLeast: price, atMost: price, since: payment?.block ?? 0 };
      await checkedPayment({ chain, failed: this.#failed, teller: from }, { use }, { block, extrinsic }, terms);
    });
  }

  async #own(hotkey: string, id: string): Promise<Purchase> {
    const purchase = await this.#options.store.purchase(id);
    if (purchase?.hotkey !== hotkey) throw notFound('purchase');
    return purchase;
  }

  async #refuseBuyer(change: MarketChange, buyer: string, offer: Offer): Promise<void> {
    const { terms, now } = this.#options;
    const at = now();
    if (buyer === offer.seller) throw new Problem('FORBIDDEN', 'Nobody buys from himself.');
    const banned = bannedFor(await change.buyer(buyer), at);
    if (banned > 0) {
      const text = `${terms.failures} locks in a row ended without money.`;
      throw new Problem('BANNED', text, { retryAfterMs: banned });
    }
    const load = {
      locks: await change.locksOf(buyer),
      over: await change.lockedAndOver(buyer, at - terms.windowMs),
      lastFailure: await change.lastFailure(buyer, offer.id),
    };
    const against = againstLock(load, at, terms);
    if (against === 'locksAtOnce') throw new Problem('RATE_LIMIT', `A buyer has ${terms.locksAtOnce} locks at a time.`);
    if (against === 'purchasesADay')
      throw new Problem('RATE_LIMIT', `A buyer has ${terms.purchasesADay} locks in 24 hours, paid or not.`);
    if (against === 'again') {
      const retryAfterMs = (load.lastFailure ?? at) + terms.lockMs - at;
      throw new Problem('RATE_LIMIT', 'The last lock on this video ended without money: others have their turn.', {
        retryAfterMs,
      });
    }
  }

  async #refuseOverBudget(change: MarketChange, price: bigint): Promise<void> {
    const { terms, now, pool } = this.#options;
    const spending = { pool: pool(), spent: await change.spent(now() - terms.windowMs), locked: await change.locked() };
    if (leftOf(spending, terms) < price) throw new Problem('BUDGET', 'The market has spent what it may in 24 hours.');
  }

  #isLocked({ lockedUntil }: Purchase): Problem {
    const retryAfterMs = Math.max(1_000, lockedUntil - this.#options.now());
    return new Problem('LOCKED', 'Somebody else is paying for it.', { retryAfterMs });
  }

  #purchase(who: { hotkey: string; buyer: string; head: number }, offer: Offer, price: bigint): Purchase {
    const { terms, newId, now } = this.#options;
    const at = now();
    return {
      ...{ id: newId(), offer: offer.id, hotkey: who.hotkey, buyer: who.buyer, seller: offer.seller, price },
      ...{
        state: 'pending',
        createdAt: at,
        lockedUntil: at + terms.lockMs,
        failedAt: null,
        payment: null,
        paidBack: null,
      },
      afterBlock: who.head,
      untilBlock: who.head + terms.blocks,
    };
  }

  /** The video is free, or goes to who has paid for it already; or is kept a while longer for who has told of a payment. */
  async #end(id: string, state: 'reverted' | 'expired', by: string): Promise<void> {
    const { store, terms, now } = this.#options;
    await store.change(async (change) => {
      const purchase = await change.purchase(id);
      if (purchase?.state !== 'pending') return;
      const at = now();
      if (state === 'expired' && purchase.lockedUntil > at) return;
      const heldUntil = purchase.createdAt + terms.lockMs + terms.heldMs;
      if (state === 'expired' && this.#told.has(id) && heldUntil > at)
        return change.setPurchase(id, { lockedUntil: heldUntil }, BY_TIME, at);
      this.#told.delete(id);
      await change.setPurchase(id, { state, failedAt: at }, by, at);
      await change.setBuyer(purchase.buyer, afterFailure(await change.buyer(purchase.buyer), at, terms));
      const owed = await change.firstOwed(purchase.offer);
      if (owed) await sell(change, owed, at);
      else await change.setOffer(purchase.offer, { state: 'submitted' }, by, at);
    });
  }
}

/** @throws Problem NOT_FOUND, GONE */
function forSale(offer: Offer | undefined): Offer {
  if (offer?.state === 'submitted' || offer?.state === 'purchasePending') return offer;
  const isGone = offer?.state === 'purchased' || (offer?.state === 'withdrawn' && offer.listedAt !== null);
  throw isGone ? new Problem('GONE', 'It is not for sale any more.') : notFound('video');
}

/** The payment is this purchase's: what that makes of it. */
async function settle(change: MarketChange, id: string, payment: NonNullable<Purchase['payment']>): Promise<void> {
  const purchase = await change.purchase(id);
  if (!purchase) throw new Error(`There is no purchase ${id}.`);
  const offer = await change.offer(purchase.offer);
  const state = onPaid(purchase.state, offer?.state === 'submitted');
  if (state === purchase.state) return;
  await change.setPurchase(id, { payment }, BY_PAYMENT, payment.at);
  if (state === 'paid') await sell(change, purchase, payment.at);
  else await change.setPurchase(id, { state }, BY_PAYMENT, payment.at);
}

async function sell(change: MarketChange, { id, offer, buyer }: Purchase, at: number): Promise<void> {
  await change.setPurchase(id, { state: 'paid' }, BY_PAYMENT, at);
  await change.setOffer(offer, { state: 'purchased', soldAt: at }, BY_PAYMENT, at);
  const { bannedUntil } = await change.buyer(buyer);
  await change.setBuyer(buyer, { failures: 0, bannedUntil });
}
