import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { OfferKind, OfferState } from '../../../src-preload/contract/market-names.ts';
import type { Db } from '../database.ts';
import { NonceQueue } from '../nonce-queue.ts';
import { Change, IS_HELD, type MarketChange, WITH_FILE } from './market-change.ts';
import { MarketExaminationStore } from './market-examinations.ts';
import { MarketPastStore } from './market-past.ts';
import { type BuyerRow, type Offer, offerOf, type Purchase, purchaseOf } from './market-rows.ts';
import type { OfferRow } from './market-tables.ts';

const MOST = 1_000;

/** What the list shows of a video, and is made by: what its seller's computer said of it, which is long, stays where it is. */
export type ForSale = Pick<Offer, 'id' | 'title' | 'description' | 'kind' | 'seller' | 'bytes' | 'durationMs'> & {
  score: number;
  price: bigint;
  listedAt: number;
};

const FOR_SALE = [
  ...(['id', 'title', 'description', 'kind', 'seller', 'bytes'] as const),
  ...(['duration_ms', 'score', 'price', 'listed_at'] as const),
] as const;

type ForSaleRow = Pick<OfferRow, (typeof FOR_SALE)[number]>;

/** Offers, purchases and their log. What a method has written when it resolves survives the death of the process. */
export class MarketStore {
  readonly #db: Db;
  #steps = 0;
  readonly #nonces = new NonceQueue((nonces) => {
    const put = this.#db.insertInto('market_nonces').values(nonces);
    return put
      .onConflict((conflict) => conflict.doNothing())
      .returning(['hotkey', 'nonce'])
      .execute();
  });
  /** What is remembered of looking at them. */
  readonly examined: MarketExaminationStore;
  /** What came to nothing. */
  readonly past: MarketPastStore;

  constructor(db: Db) {
    this.#db = db;
    this.examined = new MarketExaminationStore(db);
    this.past = new MarketPastStore(db);
  }

  /** Changes of a state since this was made: as long as there are no more, the same is for sale. */
  get steps(): number {
    return this.#steps;
  }

  /** Looks and writes as one: nothing comes in between, and what throws has written nothing. */
  change<T>(work: (change: MarketChange) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute((trx) => work(new Change(trx, () => this.#steps++)));
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

  /** Those that are uploaded or looked at although another one with their bytes was looked at by now. */
  async overtaken(): Promise<Offer[]> {
    const rows = this.#db
      .selectFrom('market_offers as offer')
      .selectAll()
      .where('state', 'in', ['uploading', 'processing']);
    const held = sql<boolean>`EXISTS (SELECT id FROM market_offers WHERE sha256 = offer.sha256 AND ${IS_HELD})`;
    return (await rows.where(held).limit(MOST).execute()).map(offerOf);
  }

  /** Those in a state that were offered before then, the oldest first. */
  async offeredBefore(state: OfferState, before: number): Promise<Offer[]> {
    const rows = this.#db.selectFrom('market_offers').selectAll().where('state', '=', state);
    return (await rows.where('created_at', '<', before).orderBy('created_at').limit(MOST).execute()).map(offerOf);
  }

  /**
   * What is for sale of these kinds, the oldest first.
   * @param only sellers, where not all are meant
   */
  async forSale(
    kinds: readonly OfferKind[],
    { limit, above = 0n, only }: { limit: number; above?: bigint; only?: readonly string[] },
  ): Promise<ForSale[]> {
    // A query for each kind: over several, the index has no order.
    const of = async (kind: OfferKind) => {
      let rows = this.#db.selectFrom('market_offers').select(FOR_SALE).where('state', '=', 'submitted');
      rows = rows.where('kind', '=', kind).where(sql<number>`CAST(price AS INTEGER)`, '>', Number(above));
      if (only) rows = rows.where('seller', 'in', only);
      return rows.orderBy('listed_at').limit(limit).execute();
    };
    return (await Promise.all(kinds.map(of))).flat().flatMap(forSaleOf);
  }

  /** Locks that ended before `now`, the longest first. */
  async lapsed(now: number): Promise<Purchase[]> {
    const rows = this.#db.selectFrom('market_purchases').selectAll().where('state', '=', 'pending');
    return (await rows.where('locked_until', '<=', now).orderBy('locked_until').limit(MOST).execute()).map(purchaseOf);
  }

  /** Purchases of these offers that their seller owes money for, the oldest first. */
  async owedFor(offers: readonly string[]): Promise<Purchase[]> {
    const rows = this.#db
      .selectFrom('market_purchases')
      .selectAll()
      .where('offer', 'in', offers)
      .where('state', '=', 'owed');
    // By the offers, not by the time (`+`): of all that is owed on the market, little is for these.
    return (await rows.orderBy(sql<number>`+paid_at`).execute()).map(purchaseOf);
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

  /** Score and length of offers of a kind that came into the list since and are for sale still, or sold: what was withdrawn presses no price. */
  async listedSince(kind: OfferKind, since: number): Promise<{ score: number; durationMs: number }[]> {
    const rows = this.#db
      .selectFrom('market_offers')
      .select(['score', 'duration_ms', 'kind'])
      .where('listed_at', '>', since)
      .where('state', 'in', ['submitted', 'purchasePending', 'purchased']);
    const listed = await rows.execute();
    return listed.flatMap(({ score, duration_ms, kind: its }) =>
      score === null || its !== kind ? [] : [{ score, durationMs: duration_ms }],
    );
  }

  /** Offers whose file is there, sold before `before`. */
  async soldBefore(before: number): Promise<Offer[]> {
    const rows = this.#db.selectFrom('market_offers').selectAll().where('state', '=', 'purchased');
    // By the bytes, not by the time (`+`): of all that was ever sold, few files are there still.
    const old = rows.where(sql<number>`+sold_at`, '<', before).where('next_byte', '>', 0);
    return (await old.limit(MOST).execute()).map(offerOf);
  }

  /** Rejected offers whose file is there, the oldest first. */
  async rejectedWithFile(): Promise<Offer[]> {
    const rows = this.#db.selectFrom('market_offers').selectAll().where('state', '=', 'rejected');
    return (await rows.where('next_byte', '>', 0).orderBy('changed_at').execute()).map(offerOf);
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
  takeNonce(hotkey: string, nonce: string, at: number): Promise<boolean> {
    return this.#nonces.take({ hotkey, nonce, at });
  }

  /** In slices: requests go on between them. */
  async forgetNonces(before: number): Promise<void> {
    for (;;) {
      const some = this.#db
        .selectFrom('market_nonces')
        .select(['hotkey', 'nonce'])
        .where('at', '<', before)
        .limit(MOST);
      const { numDeletedRows } = await this.#db
        .deleteFrom('market_nonces')
        .where(({ eb, refTuple }) => eb(refTuple('hotkey', 'nonce'), 'in', some.$asTuple('hotkey', 'nonce')))
        .executeTakeFirst();
      if (numDeletedRows < MOST) return;
      await setImmediate();
    }
  }
}

function forSaleOf({ duration_ms: durationMs, listed_at: listedAt, score, price, ...same }: ForSaleRow): ForSale[] {
  if (score === null || price === null || listedAt === null) return [];
  return [{ ...same, durationMs, score, listedAt, price: BigInt(price) }];
}
