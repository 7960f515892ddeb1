import type { Selectable } from 'kysely';
import type { OFFER_STEPS, PURCHASE_STEPS } from '../../../src-preload/contract/trade.ts';
import type { TableGroup } from '../migrate.ts';

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
