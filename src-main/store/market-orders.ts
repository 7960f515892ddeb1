import { type Selectable, sql, type Updateable } from 'kysely';
import { RAO_PER_TAO } from '../../src-preload/contract/rao.ts';
import type { OFFER_STEPS, PURCHASE_STEPS } from '../../src-preload/contract/trade.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** Amounts are rao, as text: they are larger than the numbers of JavaScript. Times are Unix milliseconds. */
interface PurchaseTable {
  /** 32 hex, made here. */
  id: string;
  /** ss58 of the market's key, and where it was. */
  market: string;
  url: string;
  /** Hash of the chain's first block that the market looks for payments in. */
  genesis: string;
  /** Names of whoever pays and signs. */
  wallet: string;
  hotkey: string;
  video: string;
  title: string;
  price: string;
  state: (typeof PURCHASE_STEPS)[number];
  /** From here on it is what the market said once it was locked: its own id, what to fetch, whom to pay from where, and until when. Before that, what its list and its terms said. */
  order_id: string | null;
  sha256: string | null;
  bytes: number | null;
  pays_from: string | null;
  pays_to: string | null;
  locked_until: number | null;
  kept_until: number | null;
  /** When somebody said yes, the call that came of it in `sent_calls`, and its place on the chain once that is final. */
  paying_since: number | null;
  call: number | null;
  call_hash: string | null;
  block: number | null;
  /** Hash of the transfer back, once it was found on the chain. */
  back_hash: string | null;
  /** When it was paid, by whichever way, or locked: what is spent in a day is reckoned by it. */
  counts_at: number;
  file: string | null;
  /** Why it does not go on, as JSON of `QuarryErrorData`. */
  error: string | null;
  created_at: number;
  /** 1 where it goes on only when a person wants it: the market gave another file than the one that was bought. */
  rests: number;
}

interface OfferTable {
  id: string;
  market: string;
  url: string;
  wallet: string;
  hotkey: string;
  recording: string;
  title: string;
  description: string;
  kind: string;
  wish: string | null;
  /** ss58 of who is paid. */
  seller: string;
  /** The file that is sent; it goes away once the market has it. */
  file: string;
  sha256: string;
  bytes: number;
  duration_ms: number;
  /** JSON, as the wire has them. */
  score_card: string;
  chain: string;
  state: (typeof OFFER_STEPS)[number];
  /** The market's own id of it, once it has one. */
  offer_id: string | null;
  sent_bytes: number;
  /** Up to here its bytes have left this computer, whatever the market has of them. */
  left_bytes: number;
  /** How often the market wanted again what it had taken already, since a person last said that it be sent. */
  begun_again: number;
  score: number | null;
  price: string | null;
  reason: string | null;
  /** JSON: what is owed back to buyers who paid too late, as the market says it. */
  owed: string;
  error: string | null;
  created_at: number;
  changed_at: number;
}

/** A debt that is being paid back: never twice. */
interface RepaymentTable {
  /** The own offer, and the market's id of the purchase. */
  offer: string;
  purchase: string;
  pays_from: string;
  pays_to: string;
  amount: string;
  since: number;
  call: number | null;
  settled: number;
  /** The payment that is paid back, as it was found on the chain; null for those that were begun before it was looked for. */
  paid_block: number | null;
  paid_extrinsic: string | null;
}

interface OrderTables {
  own_purchases: PurchaseTable;
  own_offers: OfferTable;
  own_repayments: RepaymentTable;
}

const SCHEMA = [
  `CREATE TABLE own_purchases (
    id TEXT PRIMARY KEY,
    market TEXT NOT NULL,
    url TEXT NOT NULL,
    genesis TEXT NOT NULL,
    wallet TEXT NOT NULL,
    hotkey TEXT NOT NULL,
    video TEXT NOT NULL,
    title TEXT NOT NULL,
    price TEXT NOT NULL,
    state TEXT NOT NULL,
    order_id TEXT,
    sha256 TEXT,
    bytes INTEGER,
    pays_from TEXT,
    pays_to TEXT,
    locked_until INTEGER,
    kept_until INTEGER,
    paying_since INTEGER,
    call INTEGER,
    call_hash TEXT,
    block INTEGER,
    counts_at INTEGER NOT NULL,
    file TEXT,
    error TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX own_purchases_by_time ON own_purchases (created_at)',
  'CREATE INDEX own_purchases_by_spending ON own_purchases (counts_at)',
  "CREATE INDEX own_purchases_open ON own_purchases (created_at) WHERE state IN ('locking', 'locked', 'paying', 'paid', 'bought')",
  `CREATE TABLE own_offers (
    id TEXT PRIMARY KEY,
    market TEXT NOT NULL,
    url TEXT NOT NULL,
    wallet TEXT NOT NULL,
    hotkey TEXT NOT NULL,
    recording TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    kind TEXT NOT NULL,
    wish TEXT,
    seller TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    score_card TEXT NOT NULL,
    chain TEXT NOT NULL,
    state TEXT NOT NULL,
    offer_id TEXT,
    sent_bytes INTEGER NOT NULL,
    score REAL,
    price TEXT,
    reason TEXT,
    owed TEXT NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX own_offers_by_time ON own_offers (created_at)',
  `CREATE TABLE own_repayments (
    purchase TEXT PRIMARY KEY,
    offer TEXT NOT NULL,
    pays_from TEXT NOT NULL,
    pays_to TEXT NOT NULL,
    amount TEXT NOT NULL,
    since INTEGER NOT NULL,
    call INTEGER,
    settled INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

const OPEN = "('locking', 'locked', 'paying', 'paid', 'bought')";
const OVER_UNPAID = "('refused', 'reverted', 'expired')";
/** All rows of one order, or of one video, but the first: the one that was paid, then the oldest. */
const OTHERS = (same: string, among: string) =>
  `SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY market, ${same} ORDER BY call IS NULL, created_at, id) AS place FROM own_purchases WHERE ${same} IS NOT NULL AND ${among}) WHERE place > 1`;

/** Whoever bought a video twice at once had two rows of one order, and could pay both. What was paid twice stays, without the order. */
const ONCE = [
  `UPDATE own_purchases SET state = 'expired' WHERE state IN ('locking', 'locked') AND id IN (${OTHERS('video', `state IN ${OPEN}`)})`,
  `UPDATE own_purchases SET order_id = NULL WHERE id IN (${OTHERS('order_id', `state NOT IN ${OVER_UNPAID}`)})`,
  `CREATE UNIQUE INDEX own_purchases_order ON own_purchases (market, order_id) WHERE state NOT IN ${OVER_UNPAID}`,
  "CREATE UNIQUE INDEX own_purchases_video ON own_purchases (market, video) WHERE state IN ('locking', 'locked')",
];

/** A transfer back is good for one purchase. */
const BACK = [
  'ALTER TABLE own_purchases ADD COLUMN back_hash TEXT',
  'CREATE UNIQUE INDEX own_purchases_back ON own_purchases (genesis, back_hash) WHERE back_hash IS NOT NULL',
];

/** The number of a purchase is the market's: one market does not come upon what is owed at another. A payment is paid back once. */
const DEBTS = [
  `CREATE TABLE own_debts (
    offer TEXT NOT NULL,
    purchase TEXT NOT NULL,
    pays_from TEXT NOT NULL,
    pays_to TEXT NOT NULL,
    amount TEXT NOT NULL,
    since INTEGER NOT NULL,
    call INTEGER,
    settled INTEGER NOT NULL,
    paid_block INTEGER,
    paid_extrinsic TEXT,
    PRIMARY KEY (offer, purchase)
  ) STRICT, WITHOUT ROWID`,
  'INSERT INTO own_debts SELECT offer, purchase, pays_from, pays_to, amount, since, call, settled, NULL, NULL FROM own_repayments',
  'DROP TABLE own_repayments',
  'ALTER TABLE own_debts RENAME TO own_repayments',
  'CREATE UNIQUE INDEX own_repayments_paid ON own_repayments (paid_block, paid_extrinsic) WHERE paid_extrinsic IS NOT NULL',
];

const OWED = ["CREATE INDEX own_purchases_owed ON own_purchases (created_at) WHERE state = 'owed'"];

const LEFT = [
  'ALTER TABLE own_offers ADD COLUMN left_bytes INTEGER NOT NULL DEFAULT 0',
  'UPDATE own_offers SET left_bytes = sent_bytes',
];

const RESTS = ['ALTER TABLE own_purchases ADD COLUMN rests INTEGER NOT NULL DEFAULT 0'];

const BEGUN_AGAIN = ['ALTER TABLE own_offers ADD COLUMN begun_again INTEGER NOT NULL DEFAULT 0'];

export const marketOrders: TableGroup<OrderTables> = {
  migrations: {
    '0532-market-orders': SCHEMA,
    '0534-orders-once': ONCE,
    '0535-paid-back': BACK,
    '0537-own-debts': DEBTS,
    '0539-resting': RESTS,
    '0540-left-bytes': LEFT,
    '0541-owed-purchases': OWED,
    '0547-begun-again': BEGUN_AGAIN,
  },
};

export type PurchaseRow = Selectable<PurchaseTable>;
export type OfferRow = Selectable<OfferTable>;
export type RepaymentRow = Selectable<RepaymentTable>;
export type Debt = Pick<RepaymentRow, 'offer' | 'purchase'>;

interface Page {
  /** Id of the last one that is known; from the newest on without. */
  before?: string | undefined;
  limit: number;
}

type PurchaseChange = Updateable<Omit<PurchaseTable, 'id'>>;
export type LockState = Extract<PurchaseRow['state'], 'locking' | 'locked'>;
/** Without `error` it stays as it is. */
export interface LockEnd {
  state: Extract<PurchaseRow['state'], 'refused' | 'reverted' | 'expired'>;
  error?: string | null;
}
type OfferChange = Updateable<Omit<OfferTable, 'id'>>;

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
