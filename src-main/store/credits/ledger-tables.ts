import type { TableGroup } from '../migrate.ts';
import type { EntryKind } from './entry-kinds.ts';
import { LISTED_WITH_CLAIMS } from './own-entries.ts';

/** On which side of a request this node stood; the columns are called `role`. */
export type Side = 'worker' | 'client';

export interface EntryRow {
  /** 1, 2, 3 … without a gap. */
  seq: number;
  /** Unix milliseconds. */
  at: number;
  kind: EntryKind;
  /** What it is, and idempotency key: what must not happen twice has the same one. */
  key: string;
  request_id: string | null;
  receipt_id: string | null;
  /** The `reserve` entry that this one ends. */
  closes: number | null;
  memo: string;
  /** Hash of the entry before; 64 zeros for the first. */
  prev: string;
  /** SHA-256 of everything above and the postings. */
  hash: string;
}

export interface ReceiptRow {
  id: string;
  role: Side;
  request_id: string;
  worker: string;
  client: string;
  /** UTC day of `servedAt`, as days since 1970: the self-dealing cap counts by it. */
  day: number;
  /** Points that count towards the worker's total; 0 with a reason. */
  counted: number;
  reason: string | null;
  /** Credits that the client really paid here. */
  charged: number;
  /** The signed body as JSON. */
  body: string;
  worker_sig: string;
  client_sig: string;
}

/** What a client has signed for while its answer streamed: the one proof of a part that was paid and that no receipt seals. */
export interface PledgeRow {
  /**
   * The `release` entry that books the part: side, the other node and request id are in its key. Before the claims, the `reserve` entry
   * of the request: its side is in its key, the other node in its memo.
   */
  entry: number;
  prompt_hash: string;
  credits: number;
  sig: string;
}

/** A voucher that this node has signed or taken: the one proof of the entry that books it. */
export interface VoucherRow {
  entry: number;
  kind: 'claim' | 'word';
  by: string;
  worker: string;
  client: string;
  credits: number;
  serial: string;
  /** Unix milliseconds. */
  expires: number;
  sig: string;
}

/** What was signed for in a request, as long as that has not ended. */
export interface OpenPledgeRow {
  role: Side;
  peer: string;
  request_id: string;
  prompt_hash: string;
  credits: number;
  sig: string;
  /** Where the credits come from: see credits/credits.ts. */
  funds: string;
  /** The client's network prefix, where this node serves; empty where it asks. */
  network: string;
}

/** A receipt of which its worker has not said that it has it. */
export interface OutboxRow {
  request_id: string;
  worker: string;
  receipt_id: string;
  /** The entry that books it, and the day of the receipt. */
  entry: number;
  day: number;
}

/** Tables of the ledger. `postings` and `ledger_entries` are the truth; the others but `receipts` follow from them. */
export interface LedgerTables {
  ledger_entries: EntryRow;
  postings: { entry: number; account: string; amount: number };
  balances: { account: string; balance: number };
  ledger_head: { id: 1; seq: number; hash: string };
  receipts: ReceiptRow;
  reservations: { role: Side; request_id: string; peer: string; amount: number; entry: number };
  pledges: PledgeRow;
  open_pledges: OpenPledgeRow;
  vouchers: VoucherRow;
  /** What networks were given and not yet forgiven: credits at a time (Unix milliseconds). */
  gifts: { network: string; credits: number; at: number };
  outbox: OutboxRow;
  own_score: { id: 1; state: string };
  achievements: { id: string; at: number; bonus: number; entry: number; evidence: string };
}

/** A journal is only ever written on. */
const appendOnly = (table: string) =>
  ['UPDATE', 'DELETE'].map(
    (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table} BEGIN
        SELECT RAISE(ABORT, '${table} is append-only: repair by a compensating entry');
      END`,
  );

/**
 * Tables, and the rules that the database itself enforces: an entry comes after its postings, balances (credits and score
 * each for itself), carries on the chain, and is never changed; no account but an issuing one goes below zero.
 */
const SCHEMA = [
  `CREATE TABLE ledger_entries (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('allowance', 'standing', 'reserve', 'release', 'earn', 'pay', 'bonus', 'penalty')),
    key TEXT NOT NULL UNIQUE,
    request_id TEXT,
    receipt_id TEXT UNIQUE REFERENCES receipts (id),
    closes INTEGER UNIQUE REFERENCES ledger_entries (seq),
    memo TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX ledger_entries_by_at ON ledger_entries (at)',
  // The reference is checked at commit: postings are written first, then the entry that seals them.
  `CREATE TABLE postings (
    entry INTEGER NOT NULL REFERENCES ledger_entries (seq) DEFERRABLE INITIALLY DEFERRED,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (entry, account)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX postings_by_account ON postings (account, entry)',
  `CREATE TABLE balances (
    account TEXT PRIMARY KEY,
    balance INTEGER NOT NULL,
    CONSTRAINT no_overdraft CHECK (balance >= 0 OR account GLOB 'issue:*' OR account = 'score:issued')
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE ledger_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT`,
  `INSERT INTO ledger_head VALUES (1, 0, '${'0'.repeat(64)}')`,
  `CREATE TABLE receipts (
    id TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('worker', 'client')),
    request_id TEXT NOT NULL,
    worker TEXT NOT NULL,
    client TEXT NOT NULL,
    day INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    reason TEXT,
    charged INTEGER NOT NULL,
    body TEXT NOT NULL,
    worker_sig TEXT NOT NULL,
    client_sig TEXT NOT NULL,
    UNIQUE (worker, request_id)
  ) STRICT`,
  'CREATE INDEX receipts_by_pair ON receipts (worker, client, day)',
  'CREATE INDEX receipts_by_client ON receipts (client, worker)',
  `CREATE TABLE reservations (
    role TEXT NOT NULL,
    request_id TEXT NOT NULL,
    peer TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    entry INTEGER NOT NULL UNIQUE REFERENCES ledger_entries (seq),
    PRIMARY KEY (role, request_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE outbox (
    request_id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    receipt_id TEXT NOT NULL REFERENCES receipts (id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX outbox_by_worker ON outbox (worker)',
  'CREATE TABLE own_score (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT',
  `CREATE TABLE achievements (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    bonus INTEGER NOT NULL,
    entry INTEGER NOT NULL UNIQUE REFERENCES ledger_entries (seq),
    evidence TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,

  `CREATE TRIGGER postings_project AFTER INSERT ON postings BEGIN
    SELECT RAISE(ABORT, 'this entry is sealed') FROM ledger_entries WHERE seq = NEW.entry;
    INSERT INTO balances SELECT NEW.account, 0
      WHERE NOT EXISTS (SELECT 1 FROM balances WHERE account = NEW.account);
    UPDATE balances SET balance = balance + NEW.amount WHERE account = NEW.account;
  END`,
  `CREATE TRIGGER ledger_entries_seal BEFORE INSERT ON ledger_entries BEGIN
    SELECT RAISE(ABORT, 'this entry does not carry on the chain') FROM ledger_head
      WHERE NEW.seq <> seq + 1 OR NEW.prev <> hash;
    SELECT RAISE(ABORT, 'this entry does not balance')
      WHERE (SELECT TOTAL(amount) FROM postings WHERE entry = NEW.seq AND account GLOB 'score:*') <> 0
         OR (SELECT TOTAL(amount) FROM postings WHERE entry = NEW.seq AND account NOT GLOB 'score:*') <> 0;
    UPDATE ledger_head SET seq = NEW.seq, hash = NEW.hash;
  END`,
  ...['ledger_entries', 'postings', 'receipts', 'achievements'].flatMap(appendOnly),
];

const PLEDGES = [
  `CREATE TABLE pledges (
    entry INTEGER PRIMARY KEY REFERENCES ledger_entries (seq),
    prompt_hash TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits > 0),
    sig TEXT NOT NULL
  ) STRICT`,
];

const CLAIMS = [
  `CREATE TABLE open_pledges (
    role TEXT NOT NULL CHECK (role IN ('worker', 'client')),
    peer TEXT NOT NULL,
    request_id TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits > 0),
    sig TEXT NOT NULL,
    funds TEXT NOT NULL,
    network TEXT NOT NULL,
    PRIMARY KEY (role, peer, request_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE gifts (
    network TEXT PRIMARY KEY,
    credits REAL NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  ...LISTED_WITH_CLAIMS,
];

/** What is asked again and again of one pair or one worker is found without looking through all that is between them. */
const BUSY_PAIRS = [
  'DROP INDEX receipts_by_pair',
  'CREATE INDEX receipts_by_pair ON receipts (worker, client, day, counted)',
  'ALTER TABLE outbox RENAME TO outbox_before',
  'DROP INDEX outbox_by_worker',
  `CREATE TABLE outbox (
    request_id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    receipt_id TEXT NOT NULL REFERENCES receipts (id),
    entry INTEGER NOT NULL REFERENCES ledger_entries (seq),
    day INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO outbox SELECT outbox_before.request_id, outbox_before.worker, receipts.id, seq, day
    FROM outbox_before JOIN receipts ON receipts.id = outbox_before.receipt_id JOIN ledger_entries ON ledger_entries.receipt_id = receipts.id`,
  'DROP TABLE outbox_before',
  'CREATE INDEX outbox_by_worker ON outbox (worker, entry)',
];

const VOUCHERS = [
  `CREATE TABLE vouchers (
    entry INTEGER PRIMARY KEY REFERENCES ledger_entries (seq),
    kind TEXT NOT NULL,
    by TEXT NOT NULL,
    worker TEXT NOT NULL,
    client TEXT NOT NULL,
    credits INTEGER NOT NULL,
    serial TEXT NOT NULL,
    expires INTEGER NOT NULL,
    sig TEXT NOT NULL
  ) STRICT`,
  // Before, a voucher lay in the memo of its entry, as JSON. What is none there is left for a proof to find.
  `INSERT INTO vouchers
    SELECT seq, kind, by, worker, client, credits, serial, expires, sig FROM (
      SELECT seq, said ->> '$.body.kind' AS kind, said ->> '$.body.by' AS by, said ->> '$.body.worker' AS worker,
        said ->> '$.body.client' AS client, said ->> '$.body.credits' AS credits, said ->> '$.body.serial' AS serial,
        said ->> '$.body.expires' AS expires, said ->> '$.sig' AS sig
      FROM (
        SELECT seq, CASE WHEN json_valid(memo) THEN memo END AS said
        FROM ledger_entries WHERE key GLOB 'voucher:*' OR key GLOB 'taken:*'))
    WHERE typeof(kind) = 'text' AND typeof(by) = 'text' AND typeof(worker) = 'text' AND typeof(client) = 'text'
      AND typeof(credits) = 'integer' AND typeof(serial) = 'text' AND typeof(expires) = 'integer' AND typeof(sig) = 'text'`,
  ...appendOnly('vouchers'),
];

export const ledger: TableGroup<LedgerTables> = {
  migrations: {
    '0001-ledger': SCHEMA,
    '0501-pledges': PLEDGES,
    '0504-no-entries-by-at': ['DROP INDEX ledger_entries_by_at'],
    '0505-claims': CLAIMS,
    '0507-busy-pairs': BUSY_PAIRS,
    '0509-vouchers': VOUCHERS,
  },
};
