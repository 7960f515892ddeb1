import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far a worker's score log has been checked. */
export interface ScoreLogRow {
  worker: string;
  /** Public key of the log, 64 hex: the first one that the worker named. */
  log_key: string;
  /** Entries checked so far. */
  seq: number;
  /** Score state after them, as JSON. */
  state: string;
  /** The newest claim that the log bore out, as JSON; null until there is one. */
  claim: string | null;
  /** Unix milliseconds. */
  updated_at: number;
}

/** One entry of a log that was checked. Of a receipt only what is needed to check the next ones. */
export interface ScoreEntryRow {
  worker: string;
  seq: number;
  /** Null for a failure. */
  request_id: string | null;
  client: string | null;
  day: number | null;
  counted: number;
  /** The worker's total after this entry. */
  total: number;
}

/** A witness's newest statement about a worker, as JSON. */
export interface ScoreWitnessRow {
  worker: string;
  witness: string;
  statement: string;
}

/** A worker that was found out. */
export interface ScoreMarkRow {
  worker: string;
  reason: string;
  detail: string;
  /** What proves it, as JSON. */
  evidence: string;
  at: number;
  expires_at: number;
}

export interface ScoreTables {
  score_logs: ScoreLogRow;
  score_entries: ScoreEntryRow;
  score_witnesses: ScoreWitnessRow;
  score_marks: ScoreMarkRow;
}

const SCHEMA = [
  `CREATE TABLE score_logs (
    worker TEXT PRIMARY KEY,
    log_key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    claim TEXT,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE score_entries (
    worker TEXT NOT NULL REFERENCES score_logs (worker) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    request_id TEXT,
    client TEXT,
    day INTEGER,
    counted INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (worker, seq),
    UNIQUE (worker, request_id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX score_entries_by_pair ON score_entries (worker, client, day)',
  'CREATE INDEX score_entries_by_client ON score_entries (client, worker)',
  `CREATE TABLE score_witnesses (
    worker TEXT NOT NULL REFERENCES score_logs (worker) ON DELETE CASCADE,
    witness TEXT NOT NULL,
    statement TEXT NOT NULL,
    PRIMARY KEY (worker, witness)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE score_marks (
    worker TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    evidence TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export const scoreMigrations: Record<string, Migration> = {
  '0200-scores': {
    async up(db) {
      for (const statement of SCHEMA) await sql.raw(statement).execute(db);
    },
  },
};
