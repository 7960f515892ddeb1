import type { Logger } from 'pino';
import type { ChainDraft, SentCall } from '../../../../../src-preload/contract/chain.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { BackOff } from '../../../../base/back-off.ts';
import { ignoring } from '../../../../base/swallowed.ts';
import type { MarketOrderStore, OfferRow, RepaymentRow } from '../../../../store/market-orders.ts';
import { refused } from './market-problems.ts';
import { owedOf } from './offer-view.ts';
import type { Offers } from './offers.ts';
import { patiently } from './patience.ts';
import type { OpenMarket, Payments } from './ports.ts';
import type { Bill, SafePayment } from './safe-payment.ts';

export interface RepaymentsOptions {
  store: MarketOrderStore;
  offers: Offers;
  marketOf: (row: Pick<OfferRow, 'url' | 'market' | 'wallet' | 'hotkey'>) => Promise<OpenMarket>;
  payments: Payments;
  safe: SafePayment;
  log: Logger;
  now?: () => number;
  between?: BackOff;
}

/** Pays back what buyers paid too late: a draft, a person's word, and the market is told once it is final. Goes on after a kill. */
export class Repayments {
  readonly #options: RepaymentsOptions;
  readonly #closing = new AbortController();
  /** By the market's id of the purchase. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(options: RepaymentsOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    for (const { purchase } of await this.#options.store.openRepayments()) this.follow(purchase);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#going.values());
  }

  /** @throws BAD_REQUEST where nothing is owed for that purchase, or it was paid back already */
  async draft(id: string, purchase: string): Promise<ChainDraft> {
    const { store, offers, marketOf, payments, safe, now = Date.now } = this.#options;
    const row = await offers.row(id);
    const debt = owedOf(row).find((one) => one.purchase === purchase);
    if (!debt) throw refused(say('trade.nothingOwed'), 'purchase');
    const { client } = await marketOf(row);
    const { chain } = await client.stats(this.#closing.signal);
    if ((await payments.genesis()) !== chain) throw refused(say('trade.otherChain'), 'bittensor.network');
    const known = await store.repayment(purchase);
    const { to: pays_to, amount } = debt;
    const fresh = { purchase, offer: id, pays_from: row.seller, pays_to, amount, since: now(), call: null, settled: 0 };
    const kept = known ?? fresh;
    if (!known) await store.keepRepayment(kept);
    return safe.draft(this.#bill(kept, row.wallet, chain));
  }

  /** Told of what was signed: once it is final, the market is told. */
  follow(purchase: string): void {
    if (this.#going.has(purchase) || this.#closing.signal.aborted) return;
    const going = this.#settle(purchase)
      .catch((err: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.log.warn({ err, purchase }, 'a debt is not settled');
      })
      .finally(() => this.#going.delete(purchase));
    this.#going.set(purchase, going);
  }

  #bill(row: RepaymentRow, wallet: string, genesis: string): Bill {
    const { store } = this.#options;
    const { purchase, pays_from: from, pays_to: to, amount, since } = row;
    const keep = (call: SentCall | undefined) => store.keepRepayment({ ...row, call: call?.id ?? null });
    return {
      id: purchase,
      wanted: { wallet, to, amount },
      trace: { genesis, from, to, amount, since },
      check: async () => {
        if ((await store.repayment(purchase))?.call != null) throw refused(say('trade.paidAlready'));
      },
      begin: async () => {},
      undo: async () => {},
      paidBy: keep,
    };
  }

  async #settle(purchase: string): Promise<void> {
    const { store, payments, offers, marketOf, safe, between } = this.#options;
    const { signal } = this.#closing;
    const kept = await store.repayment(purchase);
    const row = kept && (await offers.row(kept.offer).catch(ignoring('it was forgotten')));
    if (!kept || !row) return;
    const genesis = kept.call === null ? await payments.genesis() : '';
    const id = kept.call ?? (await safe.find(this.#bill(kept, row.wallet, genesis)))?.id;
    if (id === undefined) return; // nobody has said yes yet
    let last: SentCall | undefined;
    for await (const call of payments.watch(id, signal)) last = call;
    if (last?.state === 'failed' || last?.state === 'expired') await store.keepRepayment({ ...kept, call: null });
    if (last?.state !== 'done' || last.block === null || row.offer_id === null) return;
    const paid = { block: last.block, extrinsic: last.hash };
    const { client } = await marketOf(row);
    const { offer_id: offer } = row;
    const told = await patiently(() => client.settle(offer, purchase, paid, signal), signal, {
      ...(between && { between }),
    });
    await store.keepRepayment({ ...kept, call: id, settled: 1 });
    await offers.keep(row.id, told);
  }
}
