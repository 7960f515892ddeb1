import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

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
  /** What was found, as the JSON of its words. */
  detail: string;
  /** What proves it, as JSON. */
  evidence: string;
  at: number;
  expires_at: number;
}

interface ScoreTables {
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

/** The receipts of a pair that counted on a day are found without looking through those that did not. */
const BUSY_PAIRS = [
  'DROP INDEX score_entries_by_pair',
  'CREATE INDEX score_entries_by_pair ON score_entries (worker, client, day, counted)',
];

export const scores: TableGroup<ScoreTables> = {
  migrations: { '0200-scores': SCHEMA, '0508-busy-pairs-of-others': BUSY_PAIRS },
};

/** What is known of other workers' scores, and of this node's own as others see it. */
export class ScoreStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async logs(): Promise<ScoreLogRow[]> {
    return await this.#db.selectFrom('score_logs').selectAll().execute();
  }

  async putLog(row: ScoreLogRow): Promise<void> {
    const insert = this.#db.insertInto('score_logs').values(row);
    await insert.onConflict((conflict) => conflict.column('worker').doUpdateSet(row)).execute();
  }

  /** Forgets a log, with all that hangs on it. */
  async removeLog(worker: string): Promise<void> {
    await this.#db.deleteFrom('score_logs').where('worker', '=', worker).execute();
  }

  /** Forgets logs that have not moved since `before`, with all that hangs on them. */
  async pruneLogs(before: number): Promise<void> {
    await this.#db.deleteFrom('score_logs').where('updated_at', '<', before).execute();
  }

  /** Stores checked entries and how far that brings the log, in one transaction. */
  async advance(entries: ScoreEntryRow[], log: ScoreLogRow): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await new ScoreStore(trx).putLog(log);
      if (entries.length > 0) await trx.insertInto('score_entries').values(entries).execute();
    });
  }

  /**
   * Forgets a worker's entries up to `seq` that nothing rests on any more: failures, and receipts from before a UTC day that are not the last
   * between the two nodes. Receipts of those days count for nothing when they come again, and who has dealt with whom stays known.
   */
  async trim(worker: string, seq: number, day: number): Promise<void> {
    await this.#db
      .deleteFrom('score_entries')
      .where('worker', '=', worker)
      .where('seq', '<=', seq)
      .where((eb) =>
        eb.or([
          eb('client', 'is', null),
          eb.and([
            eb('day', '<', day),
            eb.exists(
              eb
                .selectFrom('score_entries as later')
                .select('later.seq')
                .whereRef('later.worker', '=', 'score_entries.worker')
                .whereRef('later.client', '=', 'score_entries.client')
                .whereRef('later.day', '>', 'score_entries.day'),
            ),
          ]),
        ]),
      )
      .execute();
  }

  /** Whether the worker's log has a receipt for this request. */
  async hasReceipt(worker: string, requestId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('score_entries')
      .select('seq')
      .where('worker', '=', worker)
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Receipts between two nodes that counted on a UTC day. */
  async countPair(worker: string, client: string, day: number): Promise<number> {
    const { count } = await this.#db
      .selectFrom('score_entries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('worker', '=', worker)
      .where('client', '=', client)
      .where('day', '=', day)
      .where('counted', '>', 0)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** The worker's total after entry `seq` of its log; undefined when that was not checked yet. */
  async totalAt(worker: string, seq: number): Promise<number | undefined> {
    if (seq === 0) return 0;
    const row = await this.#db
      .selectFrom('score_entries')
      .select('total')
      .where('worker', '=', worker)
      .where('seq', '=', seq)
      .executeTakeFirst();
    return row?.total;
  }

  /**
   * Whether a node has served or used the mesh with anyone but `except`: by the logs that were checked, or by this node's
   * own receipts.
   */
  async hasDealt(node: string, except: string): Promise<boolean> {
    const { rows } = await this.#db.executeQuery<{ one: number }>(
      this.#dealt('score_entries', node, except)
        .unionAll(this.#dealt('receipts', node, except))
        .limit(1)
        .compile(),
    );
    return rows.length > 0;
  }

  #dealt(table: 'score_entries' | 'receipts', node: string, except: string) {
    return this.#db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .where((eb) =>
        eb.or([
          eb.and([eb('worker', '=', node), eb('client', '!=', except)]),
          eb.and([eb('client', '=', node), eb('worker', '!=', except)]),
        ]),
      );
  }

  async witnesses(): Promise<ScoreWitnessRow[]> {
    return await this.#db.selectFrom('score_witnesses').selectAll().execute();
  }

  async putWitness(row: ScoreWitnessRow): Promise<void> {
    const insert = this.#db.insertInto('score_witnesses').values(row);
    await insert.onConflict((conflict) => conflict.columns(['worker', 'witness']).doUpdateSet(row)).execute();
  }

  async removeWitness(worker: string, witness: string): Promise<void> {
    await this.#db.deleteFrom('score_witnesses').where('worker', '=', worker).where('witness', '=', witness).execute();
  }

  async marks(): Promise<ScoreMarkRow[]> {
    return await this.#db.selectFrom('score_marks').selectAll().execute();
  }

  async putMark(row: ScoreMarkRow): Promise<void> {
    const insert = this.#db.insertInto('score_marks').values(row);
    await insert.onConflict((conflict) => conflict.column('worker').doUpdateSet(row)).execute();
  }

  async pruneMarks(before: number): Promise<void> {
    await this.#db.deleteFrom('score_marks').where('expires_at', '<=', before).execute();
  }
}
