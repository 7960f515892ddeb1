import type { ChainDraft, SentCall } from '../../../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { PurchaseView } from '../../wire.ts';
import { errorText } from '../kept-error.ts';
import { overCap, refused } from '../market-problems.ts';
import type { OpenMarket, Payments } from '../ports.ts';
import type { Bill, SafePayment } from '../safe-payment.ts';
import type { KeptPurchases } from './kept-purchases.ts';

export interface PurchasePaymentsOptions {
  kept: KeptPurchases;
  store: MarketOrderStore;
  marketOf: (row: PurchaseRow) => Promise<OpenMarket>;
  payments: Payments;
  safe: SafePayment;
  /** Rao that may be spent in 24 hours. */
  cap: () => bigint;
  /** Whether its lock is being given back. */
  isReverting: (id: string) => boolean;
  /** Told of a purchase whose payment was signed: it goes on from here. */
  onSigned: (id: string) => void;
  /** Unix milliseconds. */
  now: () => number;
}

/** So long before a lock ends nobody begins to pay: the money would come too late. */
const TOO_LATE_MS = 60_000;

/** Payments of purchases, from the draft to the market's word, and back where they came too late. */
export class PurchasePayments {
  readonly #options: PurchasePaymentsOptions;
  /** Somebody said yes to them, and they are being signed: whether they have a call is not known yet. */
  readonly #signing = new Set<string>();

  constructor(options: PurchasePaymentsOptions) {
    this.#options = options;
  }

  /** With an id for {@link SafePayment.send}. @throws BAD_REQUEST where it is not to be paid, or was */
  draft(row: PurchaseRow): Promise<ChainDraft> {
    return this.#options.safe.draft(this.#bill(row));
  }

  /** Whether there is a call that pays it. */
  async isPaid(row: PurchaseRow): Promise<boolean> {
    return (await this.#options.safe.find(this.#bill(row))) !== undefined;
  }

  #bill(row: PurchaseRow): Bill {
    const { kept, now, onSigned } = this.#options;
    const { id, wallet, genesis, price, pays_from: from, pays_to: to, created_at: since } = row;
    if (from === null || to === null) throw refused(say('trade.notLocked'));
    const order = `market ${row.market}: purchase ${row.order_id}`;
    return {
      wanted: { wallet, to, amount: price },
      trace: { genesis, from, to, amount: price, since, order },
      check: () => this.#check(id),
      begin: async () => {
        const at = now();
        this.#signing.add(id);
        await kept.change(id, { state: 'paying', paying_since: at, counts_at: at, error: null });
      },
      undo: async () => {
        this.#signing.delete(id);
        await kept.change(id, { state: 'locked', paying_since: null });
      },
      paidBy: async ({ id: call, hash: call_hash, at }) => {
        const { call: known, locked_until, counts_at: before } = await kept.row(id);
        if (known === call) return; // it goes on with that, and may be further
        const counts_at = Math.max(before, at);
        const error = lateNote({ locked_until, counts_at });
        await kept.change(id, { state: 'paying', call, call_hash, counts_at, error });
        this.#signing.delete(id);
        kept.tell();
      },
      signed: () => onSigned(id),
    };
  }

  async #check(id: string): Promise<void> {
    const { kept, cap, store, isReverting, now } = this.#options;
    const { state, locked_until: until } = await kept.row(id);
    if (state === 'paying' || state === 'paid') throw refused(say('trade.paidAlready'));
    if (state !== 'locked' || isReverting(id)) throw refused(say('trade.notLocked'));
    if (now() > (until ?? 0) - TOO_LATE_MS) throw refused(say('trade.tooLate'));
    if ((await store.spent(now())) > cap()) throw overCap(cap()); // it was lowered since
  }

  async untilFinal(row: PurchaseRow): Promise<boolean> {
    const { kept, safe, payments } = this.#options;
    if (row.call === null && this.#signing.has(row.id)) {
      await kept.whileTrue(row.id, () => this.#signing.has(row.id));
      return true;
    }
    const id = row.call ?? (await safe.find(this.#bill(row)))?.id;
    if (id === undefined) {
      await kept.change(row.id, { state: 'locked', paying_since: null }); // it was killed before anything was signed
      return true;
    }
    let last: SentCall | undefined;
    for await (const call of payments.watch(id, kept.signal)) last = call;
    if (last?.state === 'done' && last.block !== null) {
      await kept.change(row.id, { state: 'paid', block: last.block, error: lateNote(await kept.row(row.id)) });
      return true;
    }
    kept.signal.throwIfAborted();
    if (last?.state === 'failed' || last?.state === 'expired') {
      const why = last.error ? new QuarryError(last.error) : refused(say('trade.paymentExpired'));
      const unpaid = { state: 'locked', call: null, call_hash: null, paying_since: null } as const;
      await kept.change(row.id, { ...unpaid, error: errorText(why) });
      return true;
    }
    throw refused(say('trade.paymentUnknown'), undefined, say('trade.paymentUnknown.hint'));
  }

  /** Tells the market of a payment that is final. */
  async verify(row: PurchaseRow): Promise<boolean> {
    const { kept, marketOf } = this.#options;
    const { order_id: order, block, call_hash: extrinsic } = row;
    if (order === null || block === null || extrinsic === null) throw refused(say('trade.notLocked'));
    const { client } = await marketOf(row);
    const told = await kept.patiently(row.id, () => client.verify(order, { block, extrinsic }, kept.signal));
    await this.#keepTold(row, told);
    return true;
  }

  async untilPaidBack(row: PurchaseRow): Promise<boolean> {
    const { kept, marketOf } = this.#options;
    const { order_id: order } = row;
    if (order === null) return false;
    const { client } = await marketOf(row);
    for (let looks = 1; ; looks++) {
      const told = await kept.patiently(row.id, () => client.purchaseOf(order, kept.signal));
      if (told.state !== 'owed' && (await this.#keepTold(row, told))) return true;
      await kept.pauseOwed(looks);
    }
  }

  /** @returns whether it is somewhere else by that than «owed» */
  async #keepTold(row: PurchaseRow, told: PurchaseView): Promise<boolean> {
    const { state, keptUntil: kept_until } = told;
    if (state === 'settled') return this.#keepSettled(row, told);
    const next = ({ paid: 'bought', owed: 'owed' } as const)[state as 'paid' | 'owed'];
    if (!next) throw refused(say('trade.notTaken', { state }));
    await this.#options.kept.change(row.id, { state: next, kept_until, error: null });
    return next !== 'owed';
  }

  /** A market may say that the money came back: the chain has to. @returns whether it did */
  async #keepSettled(row: PurchaseRow, { paidBack }: PurchaseView): Promise<boolean> {
    const { kept, store, payments } = this.#options;
    const { genesis, pays_from: to, pays_to: from, price: amount, block: after } = row;
    try {
      if (!paidBack || to === null || from === null || after === null) throw refused(say('trade.notBack'));
      if (await store.isBack(genesis, paidBack.extrinsic)) throw refused(say('trade.notBack'));
      const transfer = { from, to, amount, after, ...paidBack };
      await payments.arrived(transfer); // once: the market may name another one when it is asked again
      await kept.change(row.id, { state: 'settled', back_hash: paidBack.extrinsic, error: null });
      return true;
    } catch (error) {
      kept.signal.throwIfAborted();
      await kept.change(row.id, { state: 'owed', error: errorText(error) });
      return false;
    }
  }
}

/** Told until the market has said what it makes of it: somebody paid, without this program's word, after the lock had ended. */
function lateNote({ locked_until: until, counts_at: at }: Pick<PurchaseRow, 'locked_until' | 'counts_at'>) {
  if (until === null || at <= until) return null;
  return errorText(refused(say('trade.paidLate'), undefined, say('trade.paidLate.hint')));
}
