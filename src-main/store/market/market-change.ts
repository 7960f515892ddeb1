import { sql } from 'kysely';
import type { OfferState, PurchaseState } from '../../../src-preload/contract/market-names.ts';
import { PaymentStore, type UsedPayment } from '../bittensor/payments.ts';
import type { Db } from '../database.ts';
import type { Trx } from '../writer.ts';
import { type BuyerRow, type Offer, offerOf, offerRow, type Purchase, purchaseOf, purchaseRow } from './market-rows.ts';

/** What is locked or owed changes with every step, so it stands in one transaction with what is looked at: see `MarketStore.change`. */
export interface MarketChange {
  offer(id: string): Promise<Offer | undefined>;
  purchase(id: string): Promise<Purchase | undefined>;
  addOffer(offer: Offer): Promise<void>;
  addPurchase(purchase: Purchase): Promise<void>;
  /** @param by who wanted it, for the log: an ss58 address, or a word for what the market does by itself */
  setOffer(id: string, change: Partial<Offer>, by: string, at: number): Promise<void>;
  /**
   * As {@link setOffer}, if it is in that state still, and would not become the second one with these bytes that was looked at; only this is written, whatever
   * else was changed meanwhile. @returns whether it was
   */
  moveOffer(
    { id, state }: Pick<Offer, 'id' | 'state'>,
    change: Partial<Offer>,
    by: string,
    at: number,
  ): Promise<boolean>;
  setPurchase(id: string, change: Partial<Purchase>, by: string, at: number): Promise<void>;
  buyer(buyer: string): Promise<BuyerRow>;
  setBuyer(buyer: string, now: BuyerRow): Promise<void>;
  /** Whether an offer that is not at its end has these bytes: of anybody’s that was looked at, or of whatever this seller has. */
  isOffered(sha256: string, seller: string): Promise<boolean>;
  /** How many a seller has in these states, and how many bytes they have, or are to have. */
  offersOf(seller: string, states: readonly OfferState[]): Promise<{ count: number; bytes: number }>;
  /** Bytes of all offers whose file is there. */
  bytesKept(): Promise<number>;
  locksOf(buyer: string): Promise<number>;
  /** Purchases that were paid since, and locks that ended without money since. */
  lockedAndOver(buyer: string, since: number): Promise<number>;
  lastFailure(buyer: string, offer: string): Promise<number | undefined>;
  /** Rao. */
  spent(since: number): Promise<bigint>;
  locked(): Promise<bigint>;
  /** Who has a lock on an offer, or has bought it. */
  holder(offer: string): Promise<Purchase | undefined>;
  /** The purchase that was paid too late for this offer and waits longest. */
  firstOwed(offer: string): Promise<Purchase | undefined>;
  /** Takes a payment for an order: see {@link PaymentStore.use}. */
  usePayment(payment: UsedPayment): Promise<boolean>;
}

/** States in which there may be a file. */
export const WITH_FILE: readonly OfferState[] = [
  'uploading',
  'processing',
  'review',
  'rejected',
  'submitted',
  'purchasePending',
  'purchased',
];

/** States of what was looked at: its bytes are all there, or were. */
const HELD: readonly OfferState[] = ['review', 'submitted', 'purchasePending', 'purchased'];
/** In the words of the indexes that have only these: bound values they could not serve. */
export const IS_HELD = sql<boolean>`state IN ('review', 'submitted', 'purchasePending', 'purchased')`;
const IS_NOT_OVER = sql<boolean>`state NOT IN ('rejected', 'withdrawn')`;

/** See {@link MarketChange}. */
export class Change implements MarketChange {
  readonly #db: Db | Trx;
  readonly #onStep: () => void;

  /** @param onStep told of each change of a state */
  constructor(db: Db | Trx, onStep: () => void = () => {}) {
    this.#db = db;
    this.#onStep = onStep;
  }

  async offer(id: string) {
    const row = await this.#db.selectFrom('market_offers').selectAll().where('id', '=', id).executeTakeFirst();
    return row && offerOf(row);
  }

  async purchase(id: string) {
    const row = await this.#db.selectFrom('market_purchases').selectAll().where('id', '=', id).executeTakeFirst();
    return row && purchaseOf(row);
  }

  async addOffer(offer: Offer) {
    await this.#db.insertInto('market_offers').values(offerRow(offer)).execute();
    await this.#note(offer.id, { by: offer.hotkey, at: offer.createdAt, before: null, after: offer.state });
  }

  async addPurchase(purchase: Purchase) {
    await this.#db.insertInto('market_purchases').values(purchaseRow(purchase)).execute();
    await this.#note(purchase.id, { by: purchase.hotkey, at: purchase.createdAt, before: null, after: purchase.state });
  }

  async setOffer(id: string, change: Partial<Offer>, by: string, at: number) {
    const before = await this.offer(id);
    if (!before) throw new Error(`There is no offer ${id}.`);
    await this.moveOffer(before, change, by, at);
  }

  async moveOffer({ id, state }: Pick<Offer, 'id' | 'state'>, change: Partial<Offer>, by: string, at: number) {
    const { state: next = state } = change;
    if (HELD.includes(next) && !HELD.includes(state) && (await this.#isHeldByOther(id))) return false;
    const set = this.#db.updateTable('market_offers').set(offerRow({ ...change, changedAt: at }));
    const { numUpdatedRows } = await set.where('id', '=', id).where('state', '=', state).executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (next !== state) await this.#note(id, { by, at, before: state, after: next });
    return true;
  }

  async setPurchase(id: string, change: Partial<Purchase>, by: string, at: number) {
    const before = await this.purchase(id);
    if (!before) throw new Error(`There is no purchase ${id}.`);
    const now = { ...before, ...change };
    await this.#db.updateTable('market_purchases').set(purchaseRow(now)).where('id', '=', id).execute();
    if (now.state !== before.state) await this.#note(id, { by, at, before: before.state, after: now.state });
  }

  async buyer(buyer: string): Promise<BuyerRow> {
    const row = await this.#db.selectFrom('market_buyers').selectAll().where('buyer', '=', buyer).executeTakeFirst();
    return { failures: row?.failures ?? 0, bannedUntil: row?.banned_until ?? null };
  }

  async setBuyer(buyer: string, { failures, bannedUntil }: BuyerRow) {
    const row = { buyer, failures, banned_until: bannedUntil };
    const put = this.#db.insertInto('market_buyers').values(row);
    await put.onConflict((conflict) => conflict.column('buyer').doUpdateSet(row)).execute();
  }

  async isOffered(sha256: string, seller: string) {
    const same = this.#db.selectFrom('market_offers').select('id').where('sha256', '=', sha256);
    if (await same.where(IS_HELD).executeTakeFirst()) return true;
    return (await same.where('seller', '=', seller).where(IS_NOT_OVER).executeTakeFirst()) !== undefined;
  }

  async offersOf(seller: string, states: readonly OfferState[]) {
    const { count, bytes } = await this.#db
      .selectFrom('market_offers')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
      .where('seller', '=', seller)
      .where('state', 'in', states)
      .executeTakeFirstOrThrow();
    return { count, bytes: bytes ?? 0 };
  }

  async bytesKept() {
    const { bytes } = await this.#db
      .selectFrom('market_offers')
      .select(({ fn }) => fn.sum<number | null>('next_byte').as('bytes'))
      .where('state', 'in', WITH_FILE)
      .where('next_byte', '>', 0)
      .executeTakeFirstOrThrow();
    return bytes ?? 0;
  }

  async locksOf(buyer: string) {
    return (await this.#ofBuyer(buyer, 'pending').execute()).length;
  }

  async lockedAndOver(buyer: string, since: number) {
    const paid = await this.#ofBuyer(buyer, 'paid').where('paid_at', '>', since).execute();
    const ended = (['reverted', 'expired'] as const).map((state) =>
      this.#ofBuyer(buyer, state).where('failed_at', '>', since).execute(),
    );
    return paid.length + (await Promise.all(ended)).flat().length;
  }

  async lastFailure(buyer: string, offer: string) {
    const { at } = await this.#db
      .selectFrom('market_purchases')
      .select(({ fn }) => fn.max<number | null>('failed_at').as('at'))
      .where('offer', '=', offer)
      .where('buyer', '=', buyer)
      .executeTakeFirstOrThrow();
    return at ?? undefined;
  }

  async spent(since: number) {
    const paid = this.#db.selectFrom('market_purchases').select('price').where('paid_at', '>', since);
    return sumOf(await paid.where('state', '=', 'paid').execute());
  }

  async locked() {
    return sumOf(
      await this.#db.selectFrom('market_purchases').select('price').where('state', '=', 'pending').execute(),
    );
  }

  async holder(offer: string) {
    const held = this.#db.selectFrom('market_purchases').selectAll().where('offer', '=', offer);
    const row = await held.where('state', 'in', ['pending', 'paid']).executeTakeFirst();
    return row && purchaseOf(row);
  }

  async firstOwed(offer: string) {
    const owed = this.#db
      .selectFrom('market_purchases')
      .selectAll()
      .where('offer', '=', offer)
      .where('state', '=', 'owed');
    const row = await owed.orderBy('paid_at').orderBy('id').limit(1).executeTakeFirst();
    return row && purchaseOf(row);
  }

  usePayment(payment: UsedPayment) {
    return new PaymentStore(this.#db).use(payment);
  }

  async #isHeldByOther(id: string): Promise<boolean> {
    const own = this.#db.selectFrom('market_offers').select('sha256').where('id', '=', id);
    const same = this.#db.selectFrom('market_offers').select('id').where('sha256', '=', own).where(IS_HELD);
    return (await same.where('id', '<>', id).executeTakeFirst()) !== undefined;
  }

  #ofBuyer(buyer: string, state: PurchaseState) {
    return this.#db.selectFrom('market_purchases').select('id').where('buyer', '=', buyer).where('state', '=', state);
  }

  async #note(subject: string, change: { by: string; at: number; before: string | null; after: string }) {
    this.#onStep();
    await this.#db
      .insertInto('market_log')
      .values({ seq: null, subject, ...change })
      .execute();
  }
}

function sumOf(rows: readonly { price: string }[]): bigint {
  return rows.reduce((sum, { price }) => sum + BigInt(price), 0n);
}
