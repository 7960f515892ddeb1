import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

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

/** Entries looked at in one go for those that can be forgotten. */
const TRIMMED_AT_ONCE = 1_024;
/** Entries of one log that are kept: some days of a busy worker. Of what is older it is not known that it was there. */
const KEPT_ENTRIES = 20_000;

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

  /** Keeps a worker's claim; does nothing when its log was forgotten. */
  async putClaim({ worker, claim, updated_at }: Pick<ScoreLogRow, 'worker' | 'claim' | 'updated_at'>): Promise<void> {
    await this.#db.updateTable('score_logs').set({ claim, updated_at }).where('worker', '=', worker).execute();
  }

  /** Forgets a log, with all that hangs on it. */
  async removeLog(worker: string): Promise<void> {
    await this.#db.deleteFrom('score_logs').where('worker', '=', worker).execute();
  }

  /** Forgets logs that have not moved since `before`, with all that hangs on them. */
  async pruneLogs(before: number): Promise<void> {
    await this.#db.deleteFrom('score_logs').where('updated_at', '<', before).execute();
  }

  /** Makes all of some changes, or none. */
  async together(work: (store: ScoreStore) => Promise<void>): Promise<void> {
    await this.#db.transaction().execute((trx) => work(new ScoreStore(trx)));
  }

  /** Stores checked entries and how far that brings the log, in one transaction. Of a long log the last {@link KEPT_ENTRIES} are kept. */
  async advance(entries: ScoreEntryRow[], log: ScoreLogRow): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await new ScoreStore(trx).putLog(log);
      if (entries.length === 0) return;
      await trx.insertInto('score_entries').values(entries).execute();
      const isOver = trx.deleteFrom('score_entries').where('worker', '=', log.worker);
      await isOver.where('seq', '<=', log.seq - KEPT_ENTRIES).execute();
    });
  }

  /**
   * Forgets some of a worker's entries, of those after one place up to another, that nothing rests on any more: failures, and receipts from
   * before a UTC day that are not the last between the two nodes. Receipts of those days count for nothing when they come again, and who has dealt with whom stays known.
   *
   * @returns the place up to which it looked: there may be more
   */
  async trim(worker: string, { after, upTo }: { after: number; upTo: number }, day: number): Promise<number> {
    const some = this.#db.selectFrom('score_entries').select('seq').where('worker', '=', worker);
    const inReach = some.where('seq', '>', after).where('seq', '<=', upTo).orderBy('seq');
    const farthest = inReach.limit(1).offset(TRIMMED_AT_ONCE - 1);
    const last = (await farthest.executeTakeFirst())?.seq ?? upTo;
    await this.#db
      .deleteFrom('score_entries')
      .where('worker', '=', worker)
      .where('seq', '>', after)
      .where('seq', '<=', last)
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
    return last;
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

  /** Of each node up to two others that it has served or asked: by the logs that were checked, and by this node's own receipts. */
  async partners(nodes: readonly string[]): Promise<{ node: string; partner: string }[]> {
    // The first and the last in order of an index: however many there are, none but those are read.
    const { rows } = await sql<{ node: string } & Record<string, string | null>>`
      SELECT value AS node,
        (SELECT min(client) FROM score_entries WHERE worker = value) AS a,
        (SELECT max(client) FROM score_entries WHERE worker = value) AS b,
        (SELECT min(worker) FROM score_entries WHERE client = value) AS c,
        (SELECT max(worker) FROM score_entries WHERE client = value) AS d,
        (SELECT min(client) FROM receipts WHERE worker = value) AS e,
        (SELECT max(client) FROM receipts WHERE worker = value) AS f,
        (SELECT min(worker) FROM receipts WHERE client = value) AS g,
        (SELECT max(worker) FROM receipts WHERE client = value) AS h
      FROM json_each(${JSON.stringify(nodes)})`.execute(this.#db);
    return rows.flatMap(({ node, ...found }) => {
      const partners = new Set(Object.values(found).filter((partner) => partner !== null));
      return [...partners].slice(0, 2).map((partner) => ({ node, partner }));
    });
  }

  /** Place of this node's last own receipt; 0 when it has none. */
  async lastOwnReceipt(): Promise<number> {
    const { rows } = await sql<{ place: number | null }>`SELECT max(rowid) AS place FROM receipts`.execute(this.#db);
    return rows[0]?.place ?? 0;
  }

  /** Who has dealt with whom by this node's own receipts after a place, in order. */
  async ownReceipts(after: number, limit: number): Promise<{ place: number; worker: string; client: string }[]> {
    const { rows } = await sql<{ place: number; worker: string; client: string }>`
      SELECT rowid AS place, worker, client FROM receipts WHERE rowid > ${after} ORDER BY rowid LIMIT ${limit}`.execute(
      this.#db,
    );
    return rows;
  }

  /** What witnesses say of some workers. */
  async witnesses(workers: readonly string[]): Promise<ScoreWitnessRow[]> {
    return await this.#db.selectFrom('score_witnesses').selectAll().where('worker', 'in', workers).execute();
  }

  /** Does nothing for a worker whose log was forgotten. */
  async putWitness({ worker, witness, statement }: ScoreWitnessRow): Promise<void> {
    await sql`
      INSERT INTO score_witnesses (worker, witness, statement)
      SELECT ${worker}, ${witness}, ${statement} WHERE EXISTS (SELECT 1 FROM score_logs WHERE worker = ${worker})
      ON CONFLICT (worker, witness) DO UPDATE SET statement = excluded.statement`.execute(this.#db);
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

  async removeMark(worker: string): Promise<void> {
    await this.#db.deleteFrom('score_marks').where('worker', '=', worker).execute();
  }

  async pruneMarks(before: number): Promise<void> {
    await this.#db.deleteFrom('score_marks').where('expires_at', '<=', before).execute();
  }
}
