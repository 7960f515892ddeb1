import type { OfferKind, OfferState, PurchaseState } from '../../../src-preload/contract/market-names.ts';
import type { TableGroup } from '../migrate.ts';

/** Times are Unix milliseconds; amounts rao, as text: they are larger than the numbers of JavaScript. */
interface OfferTable {
  id: string;
  /** ss58 of who offers it, and of who is paid. */
  hotkey: string;
  seller: string;
  title: string;
  description: string;
  kind: OfferKind;
  wish: string | null;
  sha256: string;
  bytes: number;
  duration_ms: number;
  /** What the seller's computer says of it, as JSON. */
  proof: string;
  state: OfferState;
  /** Bytes of it that are on the disk. */
  next_byte: number;
  score: number | null;
  price: string | null;
  reason: string | null;
  created_at: number;
  changed_at: number;
  listed_at: number | null;
  sold_at: number | null;
}

interface PurchaseTable {
  id: string;
  offer: string;
  /** ss58 of who buys, of who pays, and of who is paid. */
  hotkey: string;
  buyer: string;
  seller: string;
  price: string;
  state: PurchaseState;
  created_at: number;
  locked_until: number;
  /** When its lock ended without money; null where it did not. */
  failed_at: number | null;
  /** Blocks in which a payment counts: those after the first, up to the last. */
  after_block: number;
  until_block: number;
  /** The payment that counted. */
  paid_block: number | null;
  paid_extrinsic: string | null;
  paid_at: number | null;
  /** The transfer back, where it came too late. */
  back_block: number | null;
  back_extrinsic: string | null;
}

interface MarketTables {
  market_offers: OfferTable;
  market_purchases: PurchaseTable;
  /** ss58 of a coldkey. */
  market_buyers: { buyer: string; failures: number; banned_until: number | null };
  /** Every change of a state, and what a person or the market said of it; what it says of money is kept for good. */
  market_log: { seq: number | null; at: number; subject: string; by: string; before: string | null; after: string };
  market_nonces: { hotkey: string; nonce: string; at: number };
}

const SCHEMA = [
  `CREATE TABLE market_offers (
    id TEXT PRIMARY KEY,
    hotkey TEXT NOT NULL,
    seller TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    kind TEXT NOT NULL,
    wish TEXT,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    proof TEXT NOT NULL,
    state TEXT NOT NULL,
    next_byte INTEGER NOT NULL,
    score REAL,
    price TEXT,
    reason TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    listed_at INTEGER,
    sold_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX market_offers_by_hotkey ON market_offers (hotkey, created_at)',
  'CREATE INDEX market_offers_by_state ON market_offers (state, changed_at)',
  'CREATE INDEX market_offers_by_listing ON market_offers (listed_at)',
  "CREATE UNIQUE INDEX market_offers_once ON market_offers (sha256) WHERE state NOT IN ('rejected', 'withdrawn')",
  `CREATE TABLE market_purchases (
    id TEXT PRIMARY KEY,
    offer TEXT NOT NULL REFERENCES market_offers (id),
    hotkey TEXT NOT NULL,
    buyer TEXT NOT NULL,
    seller TEXT NOT NULL,
    price TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    locked_until INTEGER NOT NULL,
    failed_at INTEGER,
    after_block INTEGER NOT NULL,
    until_block INTEGER NOT NULL,
    paid_block INTEGER,
    paid_extrinsic TEXT,
    paid_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX market_purchases_by_hotkey ON market_purchases (hotkey, created_at)',
  'CREATE INDEX market_purchases_by_buyer ON market_purchases (buyer, created_at)',
  'CREATE INDEX market_purchases_by_payment ON market_purchases (paid_at)',
  'CREATE INDEX market_purchases_by_offer ON market_purchases (offer)',
  "CREATE UNIQUE INDEX market_purchases_once ON market_purchases (offer) WHERE state IN ('pending', 'paid')",
  'CREATE INDEX market_purchases_by_state ON market_purchases (state, locked_until)',
  'CREATE TABLE market_buyers (buyer TEXT PRIMARY KEY, failures INTEGER NOT NULL, banned_until INTEGER) STRICT, WITHOUT ROWID',
  'CREATE TABLE market_log (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, subject TEXT NOT NULL, "by" TEXT NOT NULL, before TEXT, after TEXT NOT NULL) STRICT',
  'CREATE INDEX market_log_by_subject ON market_log (subject)',
  'CREATE TABLE market_nonces (hotkey TEXT NOT NULL, nonce TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (hotkey, nonce)) STRICT, WITHOUT ROWID',
  'CREATE INDEX market_nonces_by_time ON market_nonces (at)',
];

/** A buyer looks for the transfer back on the chain: the market has to say which it is. */
const BACK = [
  'ALTER TABLE market_purchases ADD COLUMN back_block INTEGER',
  'ALTER TABLE market_purchases ADD COLUMN back_extrinsic TEXT',
];

/** What the market ever sold costs a look nothing: each look has an index of its own, and rows of offers, which are long, stand in a table by rowid. */
const QUICK_LOOKS = [
  'CREATE TABLE market_purchases_before AS SELECT * FROM market_purchases',
  'DROP TABLE market_purchases',
  'ALTER TABLE market_offers RENAME TO market_offers_before',
  `CREATE TABLE market_offers (
    id TEXT PRIMARY KEY,
    hotkey TEXT NOT NULL,
    seller TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    kind TEXT NOT NULL,
    wish TEXT,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    proof TEXT NOT NULL,
    state TEXT NOT NULL,
    next_byte INTEGER NOT NULL,
    score REAL,
    price TEXT,
    reason TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    listed_at INTEGER,
    sold_at INTEGER
  ) STRICT`,
  'INSERT INTO market_offers SELECT * FROM market_offers_before',
  'DROP TABLE market_offers_before',
  'CREATE INDEX market_offers_by_hotkey ON market_offers (hotkey, created_at)',
  'CREATE INDEX market_offers_by_state ON market_offers (state, changed_at)',
  'CREATE INDEX market_offers_by_listing ON market_offers (listed_at)',
  'CREATE INDEX market_offers_by_sale ON market_offers (state, sold_at, kind)',
  'CREATE INDEX market_offers_by_kind ON market_offers (state, kind, listed_at)',
  'CREATE INDEX market_offers_by_bytes ON market_offers (state, next_byte)',
  'CREATE INDEX market_offers_by_seller ON market_offers (seller, state, sold_at)',
  "CREATE UNIQUE INDEX market_offers_once ON market_offers (sha256) WHERE state NOT IN ('rejected', 'withdrawn')",
  `CREATE TABLE market_purchases (
    id TEXT PRIMARY KEY,
    offer TEXT NOT NULL REFERENCES market_offers (id),
    hotkey TEXT NOT NULL,
    buyer TEXT NOT NULL,
    seller TEXT NOT NULL,
    price TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    locked_until INTEGER NOT NULL,
    failed_at INTEGER,
    after_block INTEGER NOT NULL,
    until_block INTEGER NOT NULL,
    paid_block INTEGER,
    paid_extrinsic TEXT,
    paid_at INTEGER,
    back_block INTEGER,
    back_extrinsic TEXT
  ) STRICT, WITHOUT ROWID`,
  'INSERT INTO market_purchases SELECT * FROM market_purchases_before',
  'DROP TABLE market_purchases_before',
  'CREATE INDEX market_purchases_by_hotkey ON market_purchases (hotkey, created_at)',
  'CREATE INDEX market_purchases_by_buyer ON market_purchases (buyer, state, paid_at)',
  'CREATE INDEX market_purchases_by_payment ON market_purchases (state, paid_at, price)',
  'CREATE INDEX market_purchases_by_offer ON market_purchases (offer, state, paid_at)',
  "CREATE UNIQUE INDEX market_purchases_once ON market_purchases (offer) WHERE state IN ('pending', 'paid')",
  'CREATE INDEX market_purchases_by_state ON market_purchases (state, locked_until)',
];

/** What is forgotten of the log after a while: all but what money depends on. */
const LOG_BY_TIME = [
  "CREATE INDEX market_log_by_time ON market_log (at) WHERE after NOT IN ('paid', 'owed', 'settled', 'purchased')",
];

/** A hash alone, which whoever once locked a video was told, keeps out nobody: what was looked at counts, and of one seller whatever is offered. */
const ONCE_BY_BYTES = [
  'DROP INDEX market_offers_once',
  "CREATE UNIQUE INDEX market_offers_once ON market_offers (sha256) WHERE state IN ('review', 'submitted', 'purchasePending', 'purchased')",
  "CREATE UNIQUE INDEX market_offers_own_once ON market_offers (sha256, seller) WHERE state NOT IN ('rejected', 'withdrawn')",
];

/** Sales are money, and are backed up; the videos themselves are not, and what is for sale without its file is taken out of the list at the next start. */
export const focusMarket: TableGroup<MarketTables> = {
  migrations: {
    '0530-focus-market': SCHEMA,
    '0536-market-paid-back': BACK,
    '0543-market-looks': QUICK_LOOKS,
    '0544-market-log-by-time': LOG_BY_TIME,
    '0546-offers-once-by-bytes': ONCE_BY_BYTES,
  },
  leftOutOfBackups: ['market_nonces'],
};

export type OfferRow = OfferTable;
export type PurchaseRow = PurchaseTable;
