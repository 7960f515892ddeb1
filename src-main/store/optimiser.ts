import type { AttemptOutcome } from '../../src-preload/contract/optimiser-numbers.ts';
import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** `running` of a process that died is `stopped`. */
export type OptimiserState = 'running' | 'stopped' | 'done' | 'failed';

/** One search for a faster kernel. */
export interface OptimiserRunRow {
  id: string;
  /** Unix milliseconds. */
  created_at: number;
  ended_at: number | null;
  state: OptimiserState;
  /** `iterations`, `plateau`; null as long as there is something to do. */
  ended_by: string | null;
  /** As it was asked for: JSON. */
  plan: string;
  /** Who writes, as it calls itself; null before it was asked. */
  model: string | null;
  /** The source with which it began. */
  start: string;
  /** 1: that is somebody's own code, and the first attempt. */
  is_own: number;
  /** Ideas up to this one do not count for the plateau: it ended there once, and was gone on with. */
  counts_from: number;
  /** Ideas that were begun, and attempts in all. */
  iterations: number;
  attempts: number;
  /** The attempt whose lower bound is the highest, and how it did; null where none was measured. */
  best: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** Tokens that the model has read and written. */
  model_tokens: number;
  /** Why it failed: JSON. */
  error: string | null;
}

/** One source, and what came of it. */
export interface OptimiserAttemptRow {
  run: string;
  /** From 0, in the order in which they were made. */
  number: number;
  /** Which idea, from 1; 0: somebody's own code. And which repair of it; 0: as it came first. */
  iteration: number;
  repair: number;
  /** Null where the model gave no code. */
  source: string | null;
  /** Of the source, 64 hex. */
  sha256: string | null;
  outcome: AttemptOutcome;
  /** What was wrong, as the model is told. */
  detail: string | null;
  /** Times as fast as the baseline, and between which bounds; null where it was not measured. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  temperature: number | null;
  /** As whoever wrote it counts; null where it does not tell. */
  prompt_tokens: number | null;
  answer_tokens: number | null;
  /** From the question to the verdict. */
  seconds: number;
  /** Unix milliseconds. */
  at: number;
}

interface OptimiserTables {
  optimiser_runs: OptimiserRunRow;
  optimiser_attempts: OptimiserAttemptRow;
}

const SCHEMA = [
  `CREATE TABLE optimiser_runs (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    state TEXT NOT NULL,
    ended_by TEXT,
    plan TEXT NOT NULL,
    model TEXT,
    start TEXT NOT NULL,
    is_own INTEGER NOT NULL,
    counts_from INTEGER NOT NULL,
    iterations INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    best INTEGER,
    ratio REAL,
    low REAL,
    high REAL,
    model_tokens INTEGER NOT NULL,
    error TEXT
  ) STRICT`,
  'CREATE INDEX optimiser_runs_by_time ON optimiser_runs (created_at)',
  `CREATE TABLE optimiser_attempts (
    run TEXT NOT NULL REFERENCES optimiser_runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    repair INTEGER NOT NULL,
    source TEXT,
    sha256 TEXT,
    outcome TEXT NOT NULL,
    detail TEXT,
    ratio REAL,
    low REAL,
    high REAL,
    temperature REAL,
    prompt_tokens INTEGER,
    answer_tokens INTEGER,
    seconds REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT`,
  'CREATE INDEX optimiser_attempts_by_source ON optimiser_attempts (run, sha256)',
];

export const optimiser: TableGroup<OptimiserTables> = { migrations: { '0562-optimiser': SCHEMA } };

/** Searches for faster kernels, and their attempts. What a method has written when it returns survives the death of the process. */
export class OptimiserStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async add(row: OptimiserRunRow): Promise<void> {
    await this.#db.insertInto('optimiser_runs').values(row).execute();
  }

  async set(id: string, changes: Partial<Omit<OptimiserRunRow, 'id' | 'created_at'>>): Promise<void> {
    await this.#db.updateTable('optimiser_runs').set(changes).where('id', '=', id).execute();
  }

  async find(id: string): Promise<OptimiserRunRow | undefined> {
    return await this.#db.selectFrom('optimiser_runs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The newest first. @param before only what was created earlier, Unix milliseconds */
  async page(limit: number, before?: number): Promise<OptimiserRunRow[]> {
    let rows = this.#db.selectFrom('optimiser_runs').selectAll();
    if (before !== undefined) rows = rows.where('created_at', '<', before);
    return await rows.orderBy('created_at', 'desc').limit(limit).execute();
  }

  /** What a process that died left running goes on only when somebody says so. */
  async stopAll(): Promise<void> {
    await this.#db.updateTable('optimiser_runs').set({ state: 'stopped' }).where('state', '=', 'running').execute();
  }

  /** With its attempts. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('optimiser_runs').where('id', '=', id).execute();
  }

  /** One more attempt, and in the same moment what it means for its run. */
  async attempted(row: OptimiserAttemptRow): Promise<void> {
    const { run, iteration, number, ratio, low, high } = row;
    const tokens = (row.prompt_tokens ?? 0) + (row.answer_tokens ?? 0);
    await this.#db.transaction().execute(async (db) => {
      await db.insertInto('optimiser_attempts').values(row).execute();
      await db
        .updateTable('optimiser_runs')
        .set(({ eb }) => ({
          iterations: iteration,
          attempts: number + 1,
          model_tokens: eb('model_tokens', '+', tokens),
        }))
        .where('id', '=', run)
        .execute();
      if (low === null) return;
      await db
        .updateTable('optimiser_runs')
        .set({ best: number, ratio, low, high })
        .where('id', '=', run)
        .where(({ eb, or }) => or([eb('low', 'is', null), eb('low', '<', low)]))
        .execute();
    });
  }

  /** The first attempt with a source. @param sha256 of that, 64 hex */
  async withSource(run: string, sha256: string): Promise<OptimiserAttemptRow | undefined> {
    const rows = this.#db.selectFrom('optimiser_attempts').selectAll().where('run', '=', run);
    return await rows.where('sha256', '=', sha256).orderBy('number').limit(1).executeTakeFirst();
  }

  async attempt(run: string, number: number): Promise<OptimiserAttemptRow | undefined> {
    const rows = this.#db.selectFrom('optimiser_attempts').selectAll();
    return await rows.where('run', '=', run).where('number', '=', number).executeTakeFirst();
  }

  /** The newest, in their order, with their sources. */
  async latest(run: string, most: number): Promise<OptimiserAttemptRow[]> {
    const rows = this.#db.selectFrom('optimiser_attempts').selectAll().where('run', '=', run);
    return (await rows.orderBy('number', 'desc').limit(most).execute()).toReversed();
  }

  /** The same without sources, as many as are shown. */
  async latestShown(run: string, most: number): Promise<Omit<OptimiserAttemptRow, 'source' | 'sha256'>[]> {
    const rows = this.#db
      .selectFrom('optimiser_attempts')
      .select(['run', 'number', 'iteration', 'repair', 'outcome', 'detail', 'ratio', 'low', 'high'])
      .select(['temperature', 'prompt_tokens', 'answer_tokens', 'seconds', 'at'])
      .where('run', '=', run);
    return (await rows.orderBy('number', 'desc').limit(most).execute()).toReversed();
  }
}
