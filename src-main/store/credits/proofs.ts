import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import type { Trx } from '../writer.ts';
import { differing } from './own-entries.ts';

/** How far a ledger was proven, as JSON, and the node's signature of it (128 hex). Only the last one is kept. */
export interface CheckpointRow {
  body: string;
  sig: string;
}

interface ProofTables {
  /** Entries that changed this node's score: receipts that it got as a worker, and failures of its own. `place` counts them: 1, 2, 3 … */
  scored_events: { place: number; seq: number };
  /** Of the receipts that counted, what achievements are shown by; `seq` is their entry. */
  counted_receipts: { seq: number; served_at: number; processing_ms: number; model: string };
  ledger_checkpoint: CheckpointRow & { id: 1 };
}

/** @param which condition on the entries, as SQL */
const eventsWhere = (which: string) =>
  `SELECT entry.seq FROM ledger_entries AS entry WHERE entry.kind IN ('earn', 'penalty') AND ${which} ORDER BY entry.seq`;

/** One whose body cannot be read (somebody edited the file) shows nothing. */
const countedWhere = (which: string) => `
  SELECT entry.seq, body ->> '$.servedAt' AS served_at, body ->> '$.processingMs' AS processing_ms, body ->> '$.model' AS model
  FROM ledger_entries AS entry JOIN receipts ON receipts.id = entry.receipt_id
  WHERE entry.kind = 'earn' AND counted > 0 AND json_valid(body) AND ${which}`;

/** Works both lists out anew from the journal and the receipts. */
export async function rebuildScoredEvents(db: Db): Promise<void> {
  await sql`DELETE FROM scored_events`.execute(db);
  await sql.raw(`INSERT INTO scored_events (seq) ${eventsWhere('TRUE')}`).execute(db);
  await sql`DELETE FROM counted_receipts`.execute(db);
  await sql.raw(`INSERT INTO counted_receipts ${countedWhere('TRUE')}`).execute(db);
}

/** Numbers of the entries from `first` to `last` that are not listed as the journal gives them. */
export async function wrongScoredEvents(db: Db, first: number, last: number): Promise<number[]> {
  const within = (column: string) => `${column} BETWEEN ${Math.trunc(first)} AND ${Math.trunc(last)}`;
  const given = { events: eventsWhere(within('entry.seq')), counted: countedWhere(within('entry.seq')) };
  const events = `SELECT seq FROM scored_events WHERE ${within('seq')}`;
  const counted = `SELECT seq, served_at, processing_ms, model FROM counted_receipts WHERE ${within('seq')}`;
  const { rows } = await sql
    .raw<{ seq: number }>(
      `${differing(given.events, events)}
       UNION ${differing(given.counted, counted)}
       UNION SELECT seq FROM scored_events AS event WHERE ${within('seq')}
         AND place <> 1 + COALESCE((SELECT place FROM scored_events WHERE seq < event.seq ORDER BY seq DESC LIMIT 1), 0)
       ORDER BY seq`,
    )
    .execute(db);
  return rows.map(({ seq }) => seq);
}

const SCHEMA = [
  'CREATE TABLE scored_events (place INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE) STRICT',
  `INSERT INTO scored_events (seq) ${eventsWhere('TRUE')}`,
  `CREATE TABLE counted_receipts (
    seq INTEGER PRIMARY KEY,
    served_at INTEGER NOT NULL,
    processing_ms INTEGER NOT NULL,
    model TEXT NOT NULL
  ) STRICT`,
  `INSERT INTO counted_receipts ${countedWhere('TRUE')}`,
  'CREATE INDEX counted_receipts_by_time ON counted_receipts (served_at)',
  'CREATE INDEX counted_receipts_by_speed ON counted_receipts (processing_ms)',
  'CREATE INDEX counted_receipts_by_model ON counted_receipts (model)',
  `CREATE TRIGGER ledger_entries_scored AFTER INSERT ON ledger_entries WHEN NEW.kind IN ('earn', 'penalty') BEGIN
    INSERT INTO scored_events (seq) VALUES (NEW.seq);
    INSERT INTO counted_receipts ${countedWhere('entry.seq = NEW.seq')};
  END`,
  'CREATE TABLE ledger_checkpoint (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL, sig TEXT NOT NULL) STRICT',
];

/** The fast ones in the order of booking, by credits/score/achievements.ts: however many there are, the newest are at hand. */
const FAST = [
  'DROP INDEX counted_receipts_by_speed',
  'CREATE INDEX counted_receipts_fast ON counted_receipts (seq) WHERE processing_ms < 2000',
];

/** What achievements and the ledger itself are proven by: lists that a trigger keeps, and how far the last proof came. */
export const proofs: TableGroup<ProofTables> = { migrations: { '0503-proofs': SCHEMA, '0506-fast-receipts': FAST } };

export async function readCheckpoint(db: Db): Promise<CheckpointRow | undefined> {
  return await db.selectFrom('ledger_checkpoint').select(['body', 'sig']).executeTakeFirst();
}

export async function putCheckpoint(trx: Trx, row: CheckpointRow): Promise<void> {
  const insert = trx.insertInto('ledger_checkpoint').values({ id: 1, ...row });
  await insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row)).execute();
}

export async function dropCheckpoint(trx: Trx): Promise<void> {
  await trx.deleteFrom('ledger_checkpoint').execute();
}
