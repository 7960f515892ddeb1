import { sql, type Updateable } from 'kysely';
import { RAO_PER_TAO } from '../../../src-preload/contract/rao.ts';
import type { Db } from '../database.ts';
import type { Debt, OfferRow, PurchaseRow, RepaymentRow } from './market-order-tables.ts';

interface Page {
  /** Id of the last one that is known; from the newest on without. */
  before?: string | undefined;
  limit: number;
}

type PurchaseChange = Updateable<Omit<PurchaseRow, 'id'>>;
export type LockState = Extract<PurchaseRow['state'], 'locking' | 'locked'>;
/** Without `error` it stays as it is. */
export interface LockEnd {
  state: Extract<PurchaseRow['state'], 'refused' | 'reverted' | 'expired'>;
  error?: string | null;
}
type OfferChange = Updateable<Omit<OfferRow, 'id'>>;

/** What is spent in a day counts for so long. Milliseconds. */
export const SPENT_FOR_MS = 24 * 3_600_000;
/** Somebody said yes to paying it, or a call has: what that costs counts, whatever a market says of it. */
const IS_PAID = sql<boolean>`(state IN ('paying', 'paid', 'bought', 'fetched', 'owed') OR call IS NOT NULL)`;
/** In the words of the index that has only these. */
const IS_OPEN = sql<boolean>`state IN ('locking', 'locked', 'paying', 'paid', 'bought')`;
const IS_BOUGHT = sql<boolean>`state IN ('locking', 'locked', 'paying', 'paid', 'bought', 'fetched', 'owed')`;
const IS_OWED = sql<boolean>`state = 'owed'`;
const IS_NOT_OVER = sql<boolean>`state NOT IN ('refused', 'reverted', 'expired')`;
/** Shown with those that are open. */
const NEWEST = 20;

/** What this node buys and offers at markets. What a method has written when it resolves survives the death of the process. */
export class MarketOrderStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Keeps a new purchase, unless its video is being bought already, and where it and all that is {@link spent} stay below a limit.
   * @param now Unix milliseconds
   * @param cap rao
   * @returns the purchase of that video that is under way, has paid for it or has brought it, or `overCap`; `added` once it is kept
   */
  addPurchase(
    row: PurchaseRow,
    { now, cap }: { now: number; cap: bigint },
  ): Promise<PurchaseRow | 'added' | 'overCap'> {
    return this.#db.transaction().execute(async (trx) => {
      const same = trx.selectFrom('own_purchases').selectAll().where('market', '=', row.market).where(IS_BOUGHT);
      const bought = await same.where('video', '=', row.video).executeTakeFirst();
      if (bought) return bought;
      if ((await spent(trx, now)) + BigInt(row.price) > cap) return 'overCap';
      await trx.insertInto('own_purchases').values(row).execute();
      return 'added';
    });
  }

  /**
   * Keeps what a market says of a purchase that is being locked.
   * @returns whether that was done: `gone` where it is no longer being locked, `taken` where that order is another purchase's
   */
  keepLock(id: string, lock: PurchaseChange & { order_id: string }): Promise<'kept' | 'gone' | 'taken'> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('own_purchases').selectAll().where('id', '=', id).executeTakeFirst();
      if (row?.state !== 'locking') return 'gone';
      if (await isTaken(trx, row.market, lock.order_id)) return 'taken';
      await trx
        .updateTable('own_purchases')
        .set({ ...lock, state: 'locked', error: null })
        .where('id', '=', id)
        .execute();
      return 'kept';
    });
  }

  /**
   * Rao that were paid in the 24 hours before, and that may be paid any moment: those of locks as long as they last, and what is being signed. So no market binds more of them,
   * or for longer, than somebody has locked or paid within a day.
   * @param now Unix milliseconds
   */
  spent(now: number): Promise<bigint> {
    return spent(this.#db, now);
  }

  async purchase(id: string): Promise<PurchaseRow | undefined> {
    return this.#db.selectFrom('own_purchases').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** A page, newest first. */
  async purchases({ before, limit }: Page): Promise<PurchaseRow[]> {
    const newest = this.#db.selectFrom('own_purchases').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    const last = before === undefined ? undefined : await this.purchase(before);
    return (last ? newest.where(isBefore(last)) : newest).limit(limit).execute();
  }

  /** Those that are not over, and the newest; newest first. */
  async shownPurchases(): Promise<PurchaseRow[]> {
    const all = this.#db.selectFrom('own_purchases').selectAll();
    const open = [...(await all.where(IS_OPEN).execute()), ...(await all.where(IS_OWED).execute())];
    return newestFirst([...open, ...(await this.purchases({ limit: NEWEST }))]);
  }

  /** Those that go on by themselves, the oldest first; of what is owed, too. */
  async openPurchases(): Promise<PurchaseRow[]> {
    const all = this.#db.selectFrom('own_purchases').selectAll();
    const open = await all.where(IS_OPEN).where('rests', '=', 0).orderBy('created_at').execute();
    return [...open, ...(await all.where(IS_OWED).orderBy('created_at').execute())];
  }

  /** Whether a transfer back was found for a purchase already. @param hash `0x…` */
  async isBack(genesis: string, hash: string): Promise<boolean> {
    const found = this.#db.selectFrom('own_purchases').select('id').where('genesis', '=', genesis);
    return (await found.where('back_hash', '=', hash).executeTakeFirst()) !== undefined;
  }

  /** Whether an order of a market is that of a purchase that is not over. */
  isTaken(market: string, order: string): Promise<boolean> {
    return isTaken(this.#db, market, order);
  }

  /** Ends a lock that nobody has said yes to pay. @returns false where there is none (any more) in one of those states */
  async endLock(id: string, from: readonly LockState[], end: LockEnd): Promise<boolean> {
    const ended = this.#db.updateTable('own_purchases').set(end).where('id', '=', id).where('state', 'in', from);
    return (await ended.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  }

  async changePurchase(id: string, change: PurchaseChange): Promise<void> {
    await this.#db.updateTable('own_purchases').set(change).where('id', '=', id).execute();
  }

  /** Whether a call has paid for something already. */
  async isUsed(call: number): Promise<boolean> {
    const bought = this.#db.selectFrom('own_purchases').select('id').where('call', '=', call).limit(1);
    if (await bought.executeTakeFirst()) return true;
    const repaid = this.#db.selectFrom('own_repayments').select('purchase').where('call', '=', call).limit(1);
    return (await repaid.executeTakeFirst()) !== undefined;
  }

  async addOffer(row: OfferRow): Promise<void> {
    await this.#db.insertInto('own_offers').values(row).execute();
  }

  async offer(id: string): Promise<OfferRow | undefined> {
    return this.#db.selectFrom('own_offers').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** A page, newest first. */
  async offers({ before, limit }: Page): Promise<OfferRow[]> {
    const newest = this.#db.selectFrom('own_offers').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    const last = before === undefined ? undefined : await this.offer(before);
    return (last ? newest.where(isBefore(last)) : newest).limit(limit).execute();
  }

  /** Those that are not over, and the newest; newest first. @param since as {@link openOffers} */
  async shownOffers(since: number): Promise<OfferRow[]> {
    const prepared = await this.#db.selectFrom('own_offers').selectAll().where('state', '=', 'prepared').execute();
    return newestFirst([...prepared, ...(await this.openOffers(since)), ...(await this.offers({ limit: NEWEST }))]);
  }

  /** Those of which a market may tell something new. @param since of what was sold: changed after this, Unix milliseconds */
  async openOffers(since: number): Promise<OfferRow[]> {
    const open = this.#db
      .selectFrom('own_offers')
      .selectAll()
      .where(({ or, and, eb }) =>
        or([
          eb('owed', '<>', '[]'),
          eb('state', 'not in', ['prepared', 'rejected', 'withdrawn', 'purchased']),
          and([eb('state', '=', 'purchased'), eb('changed_at', '>', since)]),
        ]),
      );
    return open.orderBy('created_at', 'desc').execute();
  }

  /** Rao that came in for offers, that are about to, and that are owed back: as markets say it. */
  async earned(): Promise<{ settled: bigint; pending: bigint; owed: bigint }> {
    const priced = this.#db.selectFrom('own_offers').select(sumOf('price')).where('price', 'is not', null);
    const inState = async (state: OfferRow['state']) =>
      wholeOf(await priced.where('state', '=', state).executeTakeFirst());
    const owed = sql<{
      amount: string;
    }>`(SELECT value ->> 'amount' AS amount FROM own_offers, json_each(owed) WHERE owed <> '[]')`;
    const debts = this.#db.selectFrom(owed.as('debts')).select(sumOf('debts.amount'));
    return {
      settled: await inState('purchased'),
      pending: await inState('purchasePending'),
      owed: wholeOf(await debts.executeTakeFirst()),
    };
  }

  /** Of all offers of a recording. */
  async offerStates(recording: string): Promise<OfferRow['state'][]> {
    const rows = this.#db.selectFrom('own_offers').select('state').where('recording', '=', recording);
    return (await rows.execute()).map(({ state }) => state);
  }

  async changeOffer(id: string, change: OfferChange): Promise<void> {
    await this.#db.updateTable('own_offers').set(change).where('id', '=', id).execute();
  }

  async removeOffer(id: string): Promise<void> {
    await this.#db.deleteFrom('own_offers').where('id', '=', id).execute();
  }

  async repayment({ offer, purchase }: Debt): Promise<RepaymentRow | undefined> {
    const ofOffer = this.#db.selectFrom('own_repayments').selectAll().where('offer', '=', offer);
    return ofOffer.where('purchase', '=', purchase).executeTakeFirst();
  }

  /** What a payment is being paid back for. @param extrinsic hash of the call, `0x…` */
  async repaymentOf(block: number, extrinsic: string): Promise<RepaymentRow | undefined> {
    const same = this.#db.selectFrom('own_repayments').selectAll().where('paid_block', '=', block);
    return same.where('paid_extrinsic', '=', extrinsic).executeTakeFirst();
  }

  /** Those that are not settled yet. */
  async openRepayments(): Promise<RepaymentRow[]> {
    return this.#db.selectFrom('own_repayments').selectAll().where('settled', '=', 0).execute();
  }

  async keepRepayment(row: RepaymentRow): Promise<void> {
    await this.#db
      .insertInto('own_repayments')
      .values(row)
      .onConflict((conflict) => conflict.columns(['offer', 'purchase']).doUpdateSet(row))
      .execute();
  }
}

/** Several may have come in one millisecond. */
const isBefore = ({ created_at: at, id }: { created_at: number; id: string }) =>
  sql<boolean>`(created_at, id) < (${at}, ${id})`;

function newestFirst<Row extends { id: string; created_at: number }>(rows: readonly Row[]): Row[] {
  const once = new Map(rows.map((row) => [row.id, row]));
  return [...once.values()].sort((one, other) => other.created_at - one.created_at || (one.id < other.id ? 1 : -1));
}

async function isTaken(db: Db, market: string, order: string): Promise<boolean> {
  const same = db.selectFrom('own_purchases').select('id').where('market', '=', market).where(IS_NOT_OVER);
  return (await same.where('order_id', '=', order).executeTakeFirst()) !== undefined;
}

async function spent(db: Db, now: number): Promise<bigint> {
  const since = now - SPENT_FOR_MS;
  const mayBePaid = sql<boolean>`((state IN ('locking', 'locked') AND coalesce(locked_until, counts_at + ${SPENT_FOR_MS}) > ${now}) OR (state = 'paying' AND call IS NULL))`;
  const counted = db
    .selectFrom('own_purchases')
    .select(sumOf('price'))
    .where(({ or, and, eb }) => or([and([eb('counts_at', '>', since), IS_PAID]), and([IS_OPEN, mayBePaid])]));
  return wholeOf(await counted.executeTakeFirst());
}

/** SQLite's own sum stops at 2⁶³, which two amounts that a market makes up may reach: TAO and what is below one are summed apart. */
function sumOf(amount: string) {
  const text = sql.ref(amount);
  return [
    sql<number>`coalesce(sum(CAST(substr(${text}, 1, max(0, length(${text}) - 9)) AS INTEGER)), 0)`.as('tao'),
    sql<number>`coalesce(sum(CAST(substr('00000000' || ${text}, -9) AS INTEGER)), 0)`.as('rest'),
  ] as const;
}

const wholeOf = (sums: { tao: number; rest: number } | undefined): bigint =>
  sums ? BigInt(sums.tao) * RAO_PER_TAO + BigInt(sums.rest) : 0n;
