import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import type { EntryKind } from './entry-kinds.ts';

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

/** What the own entries of a stretch of time add up to. */
export interface OwnSumRow {
  /** How long it is: {@link QUARTER_MS} or {@link DAY_MS}. */
  span: number;
  /** Unix milliseconds, a multiple of the span. */
  begins: number;
  points: number;
  /** Receipts that this node was given as a worker. */
  requests: number;
  spent: number;
}

export interface OwnEntryTables {
  own_entries: OwnEntryRow;
  own_sums: OwnSumRow;
}

/** A quarter of an hour: everywhere on earth the days begin on one. An entry belongs to the day in which its quarter begins. */
export const QUARTER_MS = 900_000;
/** A day of UTC: for sums over all time. */
export const DAY_MS = 86_400_000;

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

/** Works the list out anew from the journal; its sums follow by their trigger. */
export async function rebuildOwnEntries(db: Db): Promise<void> {
  await sql`DELETE FROM own_sums`.execute(db);
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

const sumsBy = (span: number, which: string) => `
  SELECT ${span} AS span, at - at % ${span} AS begins, SUM(points) AS points,
    COUNT(*) FILTER (WHERE kind = 'earn') AS requests, SUM(spent) AS spent
  FROM own_entries WHERE ${which} GROUP BY 2`;

/** @param which condition on the own entries, as SQL */
const sumsWhere = (which: string) => `${sumsBy(QUARTER_MS, which)}
  UNION ALL${sumsBy(DAY_MS, which)}`;

/** SQL that adds up all own entries. */
export const SUM_UP = `INSERT INTO own_sums${sumsWhere('TRUE')}`;

/** Beginnings of the quarters that the own entries from `first` to `last` lie in. */
export async function ownQuarters(db: Db, first: number, last: number): Promise<number[]> {
  const { rows } = await sql<{ begins: number }>`
    SELECT DISTINCT at - at % ${QUARTER_MS} AS begins FROM own_entries WHERE seq BETWEEN ${first} AND ${last}`.execute(
    db,
  );
  return rows.map(({ begins }) => begins);
}

/** A time, from its beginning on and before its end, Unix milliseconds. Both are beginnings of the spans that it is about. */
export type Stretch = readonly [from: number, until: number];

const within = (column: string, [from, until]: Stretch) =>
  `${column} >= ${Math.trunc(from)} AND ${column} < ${Math.trunc(until)}`;

/** Whether the sums over quarters are those of the own entries. */
export function areQuartersRight(db: Db, stretch: Stretch): Promise<boolean> {
  return areSumsRight(db, QUARTER_MS, sumsBy(QUARTER_MS, within('at', stretch)), stretch);
}

/** Whether the sums over days are those of their quarters. */
export function areDaysRight(db: Db, stretch: Stretch): Promise<boolean> {
  const given = `SELECT ${DAY_MS}, begins - begins % ${DAY_MS}, SUM(points), SUM(requests), SUM(spent)
    FROM own_sums WHERE span = ${QUARTER_MS} AND ${within('begins', stretch)} GROUP BY 2`;
  return areSumsRight(db, DAY_MS, given, stretch);
}

async function areSumsRight(db: Db, span: number, given: string, stretch: Stretch): Promise<boolean> {
  const kept = `SELECT * FROM own_sums WHERE span = ${span} AND ${within('begins', stretch)}`;
  const { rows } = await sql
    .raw<{ wrong: number }>(
      `SELECT EXISTS (SELECT * FROM (${given}) EXCEPT ${kept}) OR EXISTS (${kept} EXCEPT SELECT * FROM (${given})) AS wrong`,
    )
    .execute(db);
  return rows[0]?.wrong === 0;
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

const added = (span: number) => `(${span}, NEW.at - NEW.at % ${span}, NEW.points, NEW.kind = 'earn', NEW.spent)`;

/** Whoever wants to know what the days have brought reads these, and not every receipt again. */
const SUMS = [
  `CREATE TABLE own_sums (
    span INTEGER NOT NULL,
    begins INTEGER NOT NULL,
    points INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (span, begins)
  ) STRICT, WITHOUT ROWID`,
  SUM_UP,
  `CREATE TRIGGER own_entries_sums AFTER INSERT ON own_entries BEGIN
    INSERT INTO own_sums VALUES
      ${added(QUARTER_MS)},
      ${added(DAY_MS)}
    ON CONFLICT (span, begins) DO UPDATE SET
      points = points + excluded.points, requests = requests + excluded.requests, spent = spent + excluded.spent;
  END`,
];

export const ownEntries: TableGroup<OwnEntryTables> = {
  migrations: { '0400-own-entries': SCHEMA, '0510-own-sums': SUMS },
};
