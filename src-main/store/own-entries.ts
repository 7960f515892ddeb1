import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { EntryKind } from './ledger-tables.ts';
import type { TableGroup } from './migrate.ts';

/** What an entry of the ledger changed for this node itself. */
export interface OwnEntryRow {
  seq: number;
  /** Unix milliseconds. */
  at: number;
  kind: EntryKind;
  /** Change of what others owe this node (before the claims: of its spendable credits), of its points, and of what it has spent. */
  amount: number;
  points: number;
  spent: number;
}

export interface OwnEntryTables {
  own_entries: OwnEntryRow;
}

const OWN = "account IN ('own:available', 'own:reserved', 'own:spent', 'score:earned')";
const OWED = "account GLOB 'owes:*'";

/**
 * The entries that touch the node's own accounts or what others owe it, and every receipt that it got as a worker, whether or not it counted.
 * Most of a busy worker's ledger is about its clients: without this list each look at the own history would have to step
 * over them. It follows from the journal, is kept by a trigger, and can be worked out anew.
 *
 * @param which condition on the entries, as SQL
 * @param owed what was owed to this node counts: not so before the claims
 */
const entriesWhere = (which: string, owed = true) => `
  SELECT entry.seq, entry.at, entry.kind,
    COALESCE(SUM(amount) FILTER (WHERE account = 'own:available'${owed ? ` OR ${OWED}` : ''}), 0) AS amount,
    COALESCE(SUM(amount) FILTER (WHERE account = 'score:earned'), 0) AS points,
    COALESCE(SUM(amount) FILTER (WHERE account = 'own:spent'), 0) AS spent
  FROM ledger_entries AS entry
  LEFT JOIN postings ON entry = entry.seq
    AND ${owed ? `(${OWN} OR ${OWED})` : OWN}
  WHERE ${which}
  GROUP BY entry.seq
  HAVING COUNT(account) > 0 OR entry.kind = 'earn'`;

/** Works the list out anew from the journal. */
export async function rebuildOwnEntries(db: Db): Promise<void> {
  await sql`DELETE FROM own_entries`.execute(db);
  await sql.raw(`INSERT INTO own_entries ${entriesWhere('TRUE')}`).execute(db);
}

/** SQL for the numbers of the rows that two queries do not both give. */
export const differing = (given: string, kept: string) => `
  SELECT seq FROM (SELECT * FROM (${given}) EXCEPT ${kept})
  UNION SELECT seq FROM (${kept} EXCEPT SELECT * FROM (${given}))`;

/** Numbers of the entries from `first` to `last` that are not kept as the journal gives them. */
export async function wrongOwnEntries(db: Db, first: number, last: number): Promise<number[]> {
  const range = `entry.seq BETWEEN ${Math.trunc(first)} AND ${Math.trunc(last)}`;
  const given = entriesWhere(range);
  const kept = `SELECT seq, at, kind, amount, points, spent FROM own_entries AS entry WHERE ${range}`;
  const { rows } = await sql.raw<{ seq: number }>(`${differing(given, kept)} ORDER BY seq`).execute(db);
  return rows.map(({ seq }) => seq);
}

const SCHEMA = [
  `CREATE TABLE own_entries (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    amount INTEGER NOT NULL,
    points INTEGER NOT NULL,
    spent INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO own_entries ${entriesWhere('TRUE', false)}`,
  // By time, with all that sums over days need; and by kind.
  'CREATE INDEX own_entries_by_at ON own_entries (at, seq, kind, points, spent)',
  'CREATE INDEX own_entries_by_kind ON own_entries (kind, at, seq)',
  `CREATE TRIGGER ledger_entries_own AFTER INSERT ON ledger_entries BEGIN
    INSERT OR REPLACE INTO own_entries ${entriesWhere('entry.seq = NEW.seq', false)};
  END`,
];

/** From migration 0505 on the list is kept with what others owe this node. */
export const LISTED_WITH_CLAIMS = [
  'DROP TRIGGER ledger_entries_own',
  `CREATE TRIGGER ledger_entries_own AFTER INSERT ON ledger_entries BEGIN
    INSERT OR REPLACE INTO own_entries ${entriesWhere('entry.seq = NEW.seq')};
  END`,
];

export const ownEntries: TableGroup<OwnEntryTables> = { migrations: { '0400-own-entries': SCHEMA } };
