import type { OfferKind, OfferState, PurchaseState } from '../../src-preload/contract/market-names.ts';
import type { Db } from './database.ts';
import type { OfferRow, PurchaseRow } from './market-tables.ts';
import type { UsedPayment } from './payments.ts';
import { PaymentStore } from './payments.ts';
import type { Trx } from './writer.ts';

/** What is locked or owed changes with every step, so it stands in one transaction with what is looked at: see {@link MarketStore.change}. */
export interface MarketChange {
  offer(id: string): Promise<Offer | undefined>;
  purchase(id: string): Promise<Purchase | undefined>;
  addOffer(offer: Offer): Promise<void>;
  addPurchase(purchase: Purchase): Promise<void>;
  /** @param by who wanted it, for the log: an ss58 address, or a word for what the market does by itself */
  setOffer(id: string, change: Partial<Offer>, by: string, at: number): Promise<void>;
  setPurchase(id: string, change: Partial<Purchase>, by: string, at: number): Promise<void>;
  buyer(buyer: string): Promise<BuyerRow>;
  setBuyer(buyer: string, now: BuyerRow): Promise<void>;
  /** Whether another offer that is not at its end has these bytes. */
  isOffered(sha256: string): Promise<boolean>;
  offersOf(hotkey: string, states: readonly OfferState[]): Promise<number>;
  /** Bytes of all offers whose file is there. */
  bytesKept(): Promise<number>;
  locksOf(buyer: string): Promise<number>;
  paidOf(buyer: string, since: number): Promise<number>;
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

export interface Offer {
  id: string;
  hotkey: string;
  seller: string;
  title: string;
  description: string;
  kind: OfferKind;
  /** Rao; null for the market's price. */
  wish: bigint | null;
  sha256: string;
  bytes: number;
  durationMs: number;
  /** JSON. */
  proof: string;
  state: OfferState;
  nextByte: number;
  score: number | null;
  price: bigint | null;
  reason: string | null;
  createdAt: number;
  changedAt: number;
  listedAt: number | null;
  soldAt: number | null;
}

export interface Purchase {
  id: string;
  offer: string;
  hotkey: string;
  buyer: string;
  seller: string;
  price: bigint;
  state: PurchaseState;
  createdAt: number;
  lockedUntil: number;
  failedAt: number | null;
  afterBlock: number;
  untilBlock: number;
  payment: { block: number; extrinsic: string; at: number } | null;
}

export interface BuyerRow {
  failures: number;
  bannedUntil: number | null;
}

const WITH_FILE: readonly OfferState[] = [
  'uploading',
  'processing',
  'review',
  'submitted',
  'purchasePending',
  'purchased',
];
const MOST = 1_000;

/** Offers, purchases and their log. What a method has written when it resolves survives the death of the process. */
export class MarketStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Looks and writes as one: nothing comes in between, and what throws has written nothing. */
  change<T>(work: (change: MarketChange) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute((trx) => work(new Change(trx)));
  }

  async offer(id: string): Promise<Offer | undefined> {
    return new Change(this.#db).offer(id);
  }

  async purchase(id: string): Promise<Purchase | undefined> {
    return new Change(this.#db).purchase(id);
  }

  async buyer(buyer: string): Promise<BuyerRow> {
    return new Change(this.#db).buyer(buyer);
  }

  /** Newest first. */
  async offersOf(hotkey: string, { before, limit }: { before?: number | undefined; limit: number }): Promise<Offer[]> {
    let rows = this.#db.selectFrom('market_offers').selectAll().where('hotkey', '=', hotkey);
    if (before !== undefined) rows = rows.where('created_at', '<', before);
    return (await rows.orderBy('created_at', 'desc').limit(limit).execute()).map(offerOf);
  }

  /** Newest first. */
  async purchasesOf(
    hotkey: string,
    { before, limit }: { before?: number | undefined; limit: number },
  ): Promise<Purchase[]> {
    let rows = this.#db.selectFrom('market_purchases').selectAll().where('hotkey', '=', hotkey);
    if (before !== undefined) rows = rows.where('created_at', '<', before);
    return (await rows.orderBy('created_at', 'desc').limit(limit).execute()).map(purchaseOf);
  }

  /** Those that changed longest ago first. */
  async inState(state: OfferState, limit = MOST): Promise<Offer[]> {
    const rows = this.#db.selectFrom('market_offers').selectAll().where('state', '=', state);
    return (await rows.orderBy('changed_at').limit(limit).execute()).map(offerOf);
  }

  /** Locks that ended before `now`, the longest first. */
  async lapsed(now: number): Promise<Purchase[]> {
    const rows = this.#db.selectFrom('market_purchases').selectAll().where('state', '=', 'pending');
    return (await rows.where('locked_until', '<=', now).orderBy('locked_until').limit(MOST).execute()).map(purchaseOf);
  }

  /** Purchases that an offer's seller owes money for, the oldest first. */
  async owedFor(offer: string): Promise<Purchase[]> {
    const rows = this.#db
      .selectFrom('market_purchases')
      .selectAll()
      .where('offer', '=', offer)
      .where('state', '=', 'owed');
    return (await rows.orderBy('paid_at').execute()).map(purchaseOf);
  }

  /** Purchases that were paid since, the newest first. */
  async paidSince(since: number): Promise<Purchase[]> {
    const rows = this.#db.selectFrom('market_purchases').selectAll().where('state', '=', 'paid');
    return (await rows.where('paid_at', '>', since).orderBy('paid_at', 'desc').execute()).map(purchaseOf);
  }

  /** Kinds of what was bought last, the newest first. */
  async lastKinds(limit: number): Promise<OfferKind[]> {
    const sold = this.#db.selectFrom('market_offers').select(['kind', 'sold_at']).where('state', '=', 'purchased');
    return (await sold.orderBy('sold_at', 'desc').limit(limit).execute()).map(({ kind }) => kind);
  }

  /** When each of these sold something last; those that never did are left out. */
  async lastSales(sellers: readonly string[]): Promise<Map<string, number>> {
    if (sellers.length === 0) return new Map();
    const sold = this.#db
      .selectFrom('market_offers')
      .select(({ fn }) => ['seller', fn.max<number>('sold_at').as('at')])
      .where('state', '=', 'purchased')
      .where('seller', 'in', sellers)
      .groupBy('seller');
    return new Map((await sold.execute()).map(({ seller, at }) => [seller, at]));
  }

  /** Score and length of offers of a kind that came into the list since. */
  async listedSince(kind: OfferKind, since: number): Promise<{ score: number; durationMs: number }[]> {
    const rows = this.#db
      .selectFrom('market_offers')
      .select(['score', 'duration_ms', 'kind'])
      .where('listed_at', '>', since);
    const listed = await rows.execute();
    return listed.flatMap(({ score, duration_ms, kind: its }) =>
      score === null || its !== kind ? [] : [{ score, durationMs: duration_ms }],
    );
  }

  /** Offers whose file is there, sold before `before`. */
  async soldBefore(before: number): Promise<Offer[]> {
    const rows = this.#db.selectFrom('market_offers').selectAll().where('state', '=', 'purchased');
    return (await rows.where('sold_at', '<', before).where('next_byte', '>', 0).limit(MOST).execute()).map(offerOf);
  }

  async withFile(): Promise<Offer[]> {
    const rows = this.#db
      .selectFrom('market_offers')
      .selectAll()
      .where('state', 'in', WITH_FILE)
      .where('next_byte', '>', 0);
    return (await rows.execute()).map(offerOf);
  }

  async bytesKept(): Promise<number> {
    return new Change(this.#db).bytesKept();
  }

  async spent(since: number): Promise<bigint> {
    return new Change(this.#db).spent(since);
  }

  async locked(): Promise<bigint> {
    return new Change(this.#db).locked();
  }

  /** How many there are of each; those without are left out. */
  async counts(): Promise<{ offers: Record<string, number>; purchases: Record<string, number> }> {
    const count = async (table: 'market_offers' | 'market_purchases') => {
      const rows = this.#db
        .selectFrom(table)
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .groupBy('state');
      return Object.fromEntries((await rows.execute()).map(({ state, count }) => [state, count]));
    };
    return { offers: await count('market_offers'), purchases: await count('market_purchases') };
  }

  /** What happened to an offer or a purchase, in order. */
  async log(subject: string) {
    return this.#db.selectFrom('market_log').selectAll().where('subject', '=', subject).orderBy('seq').execute();
  }

  /** @returns false when it was taken before */
  async takeNonce(hotkey: string, nonce: string, at: number): Promise<boolean> {
    const put = this.#db.insertInto('market_nonces').values({ hotkey, nonce, at });
    const { numInsertedOrUpdatedRows } = await put.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async forgetNonces(before: number): Promise<void> {
    await this.#db.deleteFrom('market_nonces').where('at', '<', before).execute();
  }
}

/** See {@link MarketChange}. */
class Change implements MarketChange {
  readonly #db: Db | Trx;

  constructor(db: Db | Trx) {
    this.#db = db;
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
    const now = { ...before, ...change, changedAt: at };
    await this.#db.updateTable('market_offers').set(offerRow(now)).where('id', '=', id).execute();
    if (now.state !== before.state) await this.#note(id, { by, at, before: before.state, after: now.state });
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

  async isOffered(sha256: string) {
    const same = this.#db.selectFrom('market_offers').select('id').where('sha256', '=', sha256);
    return (await same.where('state', 'not in', ['rejected', 'withdrawn']).executeTakeFirst()) !== undefined;
  }

  async offersOf(hotkey: string, states: readonly OfferState[]) {
    const { count } = await this.#db
      .selectFrom('market_offers')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('hotkey', '=', hotkey)
      .where('state', 'in', states)
      .executeTakeFirstOrThrow();
    return count;
  }

  async bytesKept() {
    const { bytes } = await this.#db
      .selectFrom('market_offers')
      .select(({ fn }) => fn.sum<number | null>('next_byte').as('bytes'))
      .where('state', 'in', WITH_FILE)
      .executeTakeFirstOrThrow();
    return bytes ?? 0;
  }

  async locksOf(buyer: string) {
    return (await this.#ofBuyer(buyer, 'pending').execute()).length;
  }

  async paidOf(buyer: string, since: number) {
    return (await this.#ofBuyer(buyer, 'paid').where('paid_at', '>', since).execute()).length;
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

  #ofBuyer(buyer: string, state: PurchaseState) {
    return this.#db.selectFrom('market_purchases').select('id').where('buyer', '=', buyer).where('state', '=', state);
  }

  async #note(subject: string, change: { by: string; at: number; before: string | null; after: string }) {
    await this.#db
      .insertInto('market_log')
      .values({ seq: null, subject, ...change })
      .execute();
  }
}

function sumOf(rows: readonly { price: string }[]): bigint {
  return rows.reduce((sum, { price }) => sum + BigInt(price), 0n);
}

function offerOf(row: OfferRow): Offer {
  const { id, hotkey, seller, title, description, kind, sha256, bytes, proof, state, score, reason } = row;
  return {
    ...{ id, hotkey, seller, title, description, kind, sha256, bytes, proof, state, score, reason },
    wish: row.wish === null ? null : BigInt(row.wish),
    price: row.price === null ? null : BigInt(row.price),
    durationMs: row.duration_ms,
    nextByte: row.next_byte,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    listedAt: row.listed_at,
    soldAt: row.sold_at,
  };
}

function offerRow(offer: Offer): OfferRow {
  const { wish, price, durationMs, nextByte, createdAt, changedAt, listedAt, soldAt, ...same } = offer;
  return {
    ...same,
    wish: wish === null ? null : String(wish),
    price: price === null ? null : String(price),
    duration_ms: durationMs,
    next_byte: nextByte,
    created_at: createdAt,
    changed_at: changedAt,
    listed_at: listedAt,
    sold_at: soldAt,
  };
}

function purchaseOf(row: PurchaseRow): Purchase {
  const { id, offer, hotkey, buyer, seller, state } = row;
  const { paid_block: block, paid_extrinsic: extrinsic, paid_at: at } = row;
  return {
    ...{ id, offer, hotkey, buyer, seller, state },
    price: BigInt(row.price),
    createdAt: row.created_at,
    lockedUntil: row.locked_until,
    failedAt: row.failed_at,
    afterBlock: row.after_block,
    untilBlock: row.until_block,
    payment: block === null || extrinsic === null || at === null ? null : { block, extrinsic, at },
  };
}

function purchaseRow(purchase: Purchase): PurchaseRow {
  const { price, createdAt, lockedUntil, failedAt, afterBlock, untilBlock, payment, ...same } = purchase;
  return {
    ...same,
    price: String(price),
    created_at: createdAt,
    locked_until: lockedUntil,
    failed_at: failedAt,
    after_block: afterBlock,
    until_block: untilBlock,
    paid_block: payment?.block ?? null,
    paid_extrinsic: payment?.extrinsic ?? null,
    paid_at: payment?.at ?? null,
  };
}
