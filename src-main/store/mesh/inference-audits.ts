import { sql } from 'kysely';
import { MARK_MS } from '../../../src-preload/contract/limits.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';

/** By what honest answers of a model's file differ from how they are read again, on this machine. */
export interface AuditCalibrationRow {
  /** SHA-256 of the file, 64 hex. */
  model: string;
  /** What people call it. */
  name: string;
  /** `AuditThresholds` as JSON. */
  thresholds: string;
  /** Honest tokens and answers that were looked at. */
  tokens: number;
  answers: number;
  /** What computed. */
  device: string;
  /** Unix milliseconds. */
  at: number;
}

/** What audits of one worker's answers with one file came to. */
export interface WorkerAuditRow {
  worker: string;
  /** SHA-256 of the file that it says it has used, 64 hex. */
  model: string;
  /** All of them. */
  answers: number;
  /** Sums over the last tokens, {@link MOST_TOKENS} at the most: see `AuditSums`. */
  tokens: number;
  top: number;
  chosen: number;
  mismatches: number;
  /** The `AuditFinding` by which it was found out, as JSON; null: it was not. */
  finding: string | null;
  /** Unix milliseconds of the last audit. */
  at: number;
}

/** An answer of a worker that was found out, so that others can find the same. */
export interface AuditedAnswerRow {
  request_id: string;
  worker: string;
  model: string;
  tokens: number;
  /** The `ClaimedAnswer` as JSON. */
  answer: string;
  /** Unix milliseconds. */
  at: number;
}

interface AuditTables {
  audit_calibrations: AuditCalibrationRow;
  worker_audits: WorkerAuditRow;
  audited_answers: AuditedAnswerRow;
}

const SCHEMA = [
  `CREATE TABLE audit_calibrations (
    model TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    thresholds TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    device TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE worker_audits (
    worker TEXT NOT NULL,
    model TEXT NOT NULL,
    answers INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    top REAL NOT NULL,
    chosen REAL NOT NULL,
    mismatches REAL NOT NULL,
    finding TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (worker, model)
  ) STRICT`,
  'CREATE INDEX worker_audits_at ON worker_audits (at)',
  `CREATE TABLE audited_answers (
    request_id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    model TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    FOREIGN KEY (worker, model) REFERENCES worker_audits (worker, model) ON DELETE CASCADE
  ) STRICT`,
  'CREATE INDEX audited_answers_of ON audited_answers (worker, model, at)',
];

/** Those that were found out apart from the others, each in order of time. */
const BY_FINDING = [
  'CREATE INDEX worker_audits_by_finding ON worker_audits (finding IS NULL, at DESC)',
  'DROP INDEX worker_audits_at',
];

export const inferenceAudits: TableGroup<AuditTables> = {
  migrations: { '0556-inference-audits': SCHEMA, '0558-audits-by-finding': BY_FINDING },
  leftOutOfBackups: ['audited_answers'], // people's questions are in them
};

/**
 * Workers and files of which audits are remembered: so many that were found out, and so many others, those that were audited last. Keys cost nothing: whoever is
 * found out under many fills no disk, and pushes out none of the others.
 */
const MOST_WORKERS = 5_000;

/** What was audited before counts as so many tokens at the most, twice what the last threshold is for: nobody can lie for long on what was honest for years. */
const MOST_TOKENS = 4_096;

/** Bytes of answers that are kept, all workers together: each brings up to some ten megabytes, and to be found out with a new key costs nothing. */
const MOST_KEPT = 128 << 20;

/** What audits have found. What a method has written when it returns survives the death of the process. */
export class InferenceAuditStore {
  readonly #db: Db;
  readonly #mostKept: number;

  /** @param mostKept bytes of answers, all workers together. Default {@link MOST_KEPT} */
  constructor(db: Db, mostKept = MOST_KEPT) {
    this.#db = db;
    this.#mostKept = mostKept;
  }

  async calibrate(row: AuditCalibrationRow): Promise<void> {
    const { model: _, ...rest } = row;
    await this.#db
      .insertInto('audit_calibrations')
      .values(row)
      .onConflict((on) => on.column('model').doUpdateSet(rest))
      .execute();
  }

  async calibration(model: string): Promise<AuditCalibrationRow | undefined> {
    return await this.#db.selectFrom('audit_calibrations').selectAll().where('model', '=', model).executeTakeFirst();
  }

  async calibrations(): Promise<AuditCalibrationRow[]> {
    return await this.#db.selectFrom('audit_calibrations').selectAll().orderBy('at', 'desc').execute();
  }

  /**
   * Adds an audited answer to what is known of its worker; of one that was found out and then left alone for thirty days, nothing is known.
   * @param audit sums of it alone @returns what is known now
   */
  async add(audit: Omit<WorkerAuditRow, 'answers' | 'finding'>): Promise<WorkerAuditRow> {
    return await this.#db.transaction().execute(async (db) => {
      const { worker, model, at } = audit;
      const rows = db.selectFrom('worker_audits').selectAll().where('worker', '=', worker);
      const before = await rows.where('model', '=', model).executeTakeFirst();
      const isOver = before?.finding != null && at - before.at > MARK_MS;
      if (isOver)
        await db.deleteFrom('worker_audits').where('worker', '=', worker).where('model', '=', model).execute();
      const row = together(isOver ? undefined : before, audit);
      await db
        .insertInto('worker_audits')
        .values(row)
        .onConflict((on) => on.columns(['worker', 'model']).doUpdateSet(row))
        .execute();
      await prune(db);
      return row;
    });
  }

  /** It was found out. @param answers by which others can find the same; where there is too much, those of who was found out longest ago go */
  async found(worker: string, model: string, finding: string, answers: readonly AuditedAnswerRow[]): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const rows = db.updateTable('worker_audits').set({ finding });
      await rows.where('worker', '=', worker).where('model', '=', model).execute();
      if (answers.length === 0) return;
      await db
        .insertInto('audited_answers')
        .values([...answers])
        .onConflict((on) => on.doNothing())
        .execute();
      await dropAnswers(db, this.#mostKept);
    });
  }

  /** Of one worker and file. */
  async of(worker: string, model: string): Promise<WorkerAuditRow | undefined> {
    const rows = this.#db.selectFrom('worker_audits').selectAll().where('worker', '=', worker);
    return await rows.where('model', '=', model).executeTakeFirst();
  }

  /** Those that were found out first, then those that were audited last. */
  async list(limit: number): Promise<WorkerAuditRow[]> {
    const rows = this.#db.selectFrom('worker_audits').selectAll();
    return await rows.orderBy(sql`finding IS NULL`).orderBy('at', 'desc').limit(limit).execute();
  }

  /** What was kept of a worker's answers with a file, the oldest first. */
  async answers(worker: string, model: string): Promise<AuditedAnswerRow[]> {
    const rows = this.#db.selectFrom('audited_answers').selectAll().where('worker', '=', worker);
    return await rows.where('model', '=', model).orderBy('at').execute();
  }
}

function together(
  before: WorkerAuditRow | undefined,
  audit: Omit<WorkerAuditRow, 'answers' | 'finding'>,
): WorkerAuditRow {
  if (!before) return { ...audit, answers: 1, finding: null };
  const weight = Math.min(1, MOST_TOKENS / Math.max(1, before.tokens));
  const add = (sum: 'tokens' | 'top' | 'chosen' | 'mismatches') => weight * before[sum] + audit[sum];
  const sums = { top: add('top'), chosen: add('chosen'), mismatches: add('mismatches') };
  return { ...audit, tokens: Math.round(add('tokens')), ...sums, answers: before.answers + 1, finding: before.finding };
}

/** All of a worker's with a file or none: a few of them prove nothing. The newest stay, however much they are. */
async function dropAnswers(db: Db, most: number): Promise<void> {
  const kept = await db
    .selectFrom('audited_answers')
    .select(['worker', 'model', sql<number>`sum(octet_length(answer))`.as('bytes')])
    .groupBy(['worker', 'model'])
    .orderBy(sql`max(at)`, 'desc')
    .execute();
  let bytes = 0;
  for (const [place, each] of kept.entries()) {
    bytes += each.bytes;
    if (place === 0 || bytes <= most) continue;
    const rows = db.deleteFrom('audited_answers').where('worker', '=', each.worker);
    await rows.where('model', '=', each.model).execute();
  }
}

/** Of those that were found out, and of the others, the ones that were audited longest ago go. */
async function prune(db: Db): Promise<void> {
  for (const isOther of [0, 1]) {
    const over = db.selectFrom('worker_audits').select(sql<number>`rowid`.as('rowid'));
    const ofThese = over.where(sql`finding IS NULL`, '=', isOther).orderBy('at', 'desc');
    await db.deleteFrom('worker_audits').where(sql`rowid`, 'in', ofThese.limit(-1).offset(MOST_WORKERS)).execute();
  }
}
