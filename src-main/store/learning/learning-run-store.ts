import { type Selectable, sql } from 'kysely';
import { type ErrorView, errorSchema } from '../../../src-preload/contract/error-schema.ts';
import { type FeedbackState, TEACHING_KINDS } from '../../../src-preload/contract/learning.ts';
import { keptJson } from '../../base/kept-json.ts';
import type { Db, Tables } from '../database.ts';
import { forgetPrivate, hidePrivate } from './learning-completions.ts';
import type { FeedbackRow, RunRow } from './learning-runs.ts';

/** States in which a run has come to its end. */
export const RUN_ENDS = ['accepted', 'rolled-back', 'failed', 'cancelled'] as const;
export type RunEnd = (typeof RUN_ENDS)[number];

/** After so many failures of the same kind in a row, feedback is put aside until somebody asks for it: it would fail at each start of the node for ever. */
const MOST_FAILURES = 3;

export type NewRun = Pick<RunRow, 'id' | 'name' | 'created_at' | 'settings'>;

/** What one run can learn from: feedback of one adapter (`name`) that is to be learnt in one way (`training`). */
export type FeedbackGroup = Pick<FeedbackRow, 'name' | 'training'>;

export interface TakenFeedback extends Pick<FeedbackRow, 'training'> {
  /** How much feedback one run takes. */
  most: number;
  /** Only of these ids. Default: all that waits. */
  only?: readonly number[] | undefined;
}
/** A run as a list shows it. `reasons`: JSON of those of its verdict; null where it has none. */
export type ListedRun = Omit<RunRow, 'verdict'> & { reasons: string | null };
export type LearningStep = Selectable<Tables['learning_steps']>;

const LISTED = [
  ...(['id', 'name', 'state', 'created_at', 'started_at', 'ended_at', 'parent', 'version'] as const),
  ...(['objective', 'why', 'settings', 'step', 'error', 'seconds', 'watt_hours'] as const),
] as const;
/** Of a verdict, which may be long. What is damaged is told as it is, so that it is seen. */
const REASONS = sql<string | null>`iif(json_valid(verdict), json_extract(verdict, '$.reasons'), verdict)`;

/** Of feedback that a run took. */
const HOW_WELL = sql<number>`CASE state WHEN 'learnt' THEN 2 WHEN 'taken' THEN 1 ELSE 0 END`;

/** Runs, what was measured at their steps, and the feedback that they take. Feedback is in one run at a time. */
export class LearningRunStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Begins a run with what waits for this adapter and is to be learnt in this way, the oldest first, if there is anything to learn from. */
  begin(run: NewRun, { training, most, only }: TakenFeedback): Promise<RunRow | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      let asked = teaching(trx).select('id').where('name', '=', run.name).where('training', 'is', training);
      if (only) asked = asked.where('id', 'in', only);
      const waiting = await asked.orderBy('id').limit(most).execute();
      if (waiting.length === 0) return undefined;
      const begun = await trx
        .insertInto('learning_runs')
        .values({ ...run, state: 'queued', step: 0, seconds: 0 })
        .returningAll()
        .executeTakeFirstOrThrow();
      const ids = waiting.map(({ id }) => id);
      await trx.updateTable('learning_feedback').set({ state: 'taken', run: run.id }).where('id', 'in', ids).execute();
      return begun;
    });
  }

  /** What the oldest feedback is that waits and can be learnt. @param only of these ids. Default: of all */
  async waiting(only?: readonly number[]): Promise<FeedbackGroup | undefined> {
    const waiting = teaching(this.#db).select(['name', 'training']).orderBy('id').limit(1);
    return await (only ? waiting.where('id', 'in', only) : waiting).executeTakeFirst();
  }

  /** The run that took any of this feedback, and keeps it; of several one that was in vain before one that is under way, and then what was learnt: the newest. */
  async runOf(feedback: readonly number[]): Promise<string | undefined> {
    const taken = this.#db.selectFrom('learning_feedback').select('run').where('id', 'in', feedback);
    const ordered = taken.where('run', 'is not', null).orderBy(HOW_WELL).orderBy('id', 'desc');
    return (await ordered.executeTakeFirst())?.run ?? undefined;
  }

  /** How many have ended in each way, and how long they computed together, in seconds. */
  async outcomes(): Promise<Record<RunEnd, { runs: number; seconds: number }>> {
    const ended = await this.#db
      .selectFrom('learning_runs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('runs'), fn.sum<number>('seconds').as('seconds')])
      .where('ended_at', 'is not', null)
      .groupBy('state')
      .execute();
    const of = (end: RunEnd) => ended.find(({ state }) => state === end) ?? { runs: 0, seconds: 0 };
    const figures = RUN_ENDS.map((end) => [end, { runs: of(end).runs, seconds: of(end).seconds }] as const);
    return Object.fromEntries(figures) as Record<RunEnd, { runs: number; seconds: number }>;
  }

  /** Those that have not ended, the oldest first: one, where nothing went wrong. */
  unfinished(): Promise<RunRow[]> {
    return this.#db
      .selectFrom('learning_runs')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('created_at')
      .execute();
  }

  get(id: string): Promise<RunRow | undefined> {
    return this.#db.selectFrom('learning_runs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Newest first. @param before only those that began earlier: Unix milliseconds */
  list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<ListedRun[]> {
    return this.#db
      .selectFrom('learning_runs')
      .select([...LISTED, REASONS.as('reasons')])
      .where('created_at', '<', before)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
  }

  async set(id: string, change: Partial<Omit<RunRow, 'id' | 'ended_at'>>): Promise<void> {
    await this.#db.updateTable('learning_runs').set(change).where('id', '=', id).execute();
  }

  /** What is told of a step later joins what is there; what is told anew, after a kill, takes its place. */
  async addStep(run: string, step: number, figures: object): Promise<void> {
    const put = this.#db.insertInto('learning_steps').values({ run, step, figures: JSON.stringify(figures) });
    const joined = { figures: sql<string>`json_patch(learning_steps.figures, excluded.figures)` };
    await put.onConflict((conflict) => conflict.columns(['run', 'step']).doUpdateSet(joined)).execute();
  }

  /** In their order. */
  steps(run: string): Promise<LearningStep[]> {
    return this.#db.selectFrom('learning_steps').selectAll().where('run', '=', run).orderBy('step').execute();
  }

  /** What a run learns from, in the order in which it was given. */
  feedback(run: string): Promise<FeedbackRow[]> {
    return this.#db.selectFrom('learning_feedback').selectAll().where('run', '=', run).orderBy('id').execute();
  }

  /** The same of several runs, asked for at once; nothing for one that took none. */
  async feedbackOf(runs: readonly string[]): Promise<Map<string, FeedbackRow[]>> {
    const all = this.#db.selectFrom('learning_feedback').selectAll().where('run', 'in', runs).orderBy('id');
    return Map.groupBy(await all.execute(), ({ run }) => run ?? '');
  }

  /** What was put aside waits again; another failure of the same kind puts it aside at once. */
  async takeUp(): Promise<void> {
    await this.#db.updateTable('learning_feedback').set({ state: 'waiting' }).where('state', '=', 'aside').execute();
  }

  /** A run begins anew, from another version: nothing is left of its steps. */
  async restart(id: string, parent: string | null): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('learning_steps').where('run', '=', id).execute();
      const anew = { parent, step: 0, state: 'queued' as const, objective: null, why: null, verdict: null };
      await trx.updateTable('learning_runs').set(anew).where('id', '=', id).execute();
    });
  }

  /** The run and its feedback come to their end together. @returns false where it had ended: then nothing changes */
  async end(id: string, state: RunEnd, change: RunEnding): Promise<boolean> {
    return await this.#db.transaction().execute((trx) => endRun(trx, id, state, change));
  }
}

export type RunEnding = Partial<RunRow> & { ended_at: number };

/** The same within a transaction of somebody else's. */
export async function endRun(trx: Db, id: string, state: RunEnd, change: RunEnding): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('learning_runs')
    .set({ ...change, state })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await endFeedback(trx, id, state, change.error ?? null);
  return true;
}

/** What becomes of the feedback that a run learnt from: what it could not say anything about waits again, unless its conversation has become private. */
async function endFeedback(trx: Db, run: string, end: RunEnd, error: string | null): Promise<void> {
  await hidePrivate(trx);
  await settleFeedback(trx, run, end, error);
  await forgetPrivate(trx);
}

async function settleFeedback(trx: Db, run: string, end: RunEnd, error: string | null): Promise<void> {
  if (end === 'failed') return await countFailure(trx, run, error);
  const learnt = { failures: 0, failure: null };
  const after = {
    accepted: { state: 'learnt' as const, ...learnt },
    'rolled-back': { state: 'rejected' as const, ...learnt },
    cancelled: { state: 'waiting' as const, run: null },
  }[end];
  await trx.updateTable('learning_feedback').set(after).where('run', '=', run).execute();
}

async function countFailure(trx: Db, run: string, failure: string | null): Promise<void> {
  const taken = trx.selectFrom('learning_feedback').select(['id', 'failures', 'failure']).where('run', '=', run);
  for (const { id, failures: before, failure: last } of await taken.execute()) {
    const failures = kindOf(last) === kindOf(failure) ? before + 1 : 1;
    const waits = failures < MOST_FAILURES && !isForGood(failure);
    const state: FeedbackState = waits ? 'waiting' : 'aside';
    const after = { state, run: null, failures, failure };
    await trx.updateTable('learning_feedback').set(after).where('id', '=', id).execute();
  }
}

/** Whether another try would fail in the same way: what is too long today is too long tomorrow. */
function isForGood(failure: string | null): boolean {
  return failureIn(failure)?.code === 'CONTEXT_TOO_LONG';
}

/** Of a failure, without the figures in it: how much memory there was is another each time. Damaged, it is of no kind. */
function kindOf(failure: string | null): string {
  const error = failureIn(failure);
  return error ? `${error.code} ${error.said?.message?.key ?? error.message}` : '';
}

/** Undefined where there is none, or it is damaged. @param failure JSON of a QuarryError */
function failureIn(failure: string | null): ErrorView | undefined {
  return failure === null ? undefined : keptJson(failure, errorSchema);
}

/** Feedback that waits, and says what is to be learnt. */
function teaching(db: Db) {
  return db.selectFrom('learning_feedback').where('state', '=', 'waiting').where('kind', 'in', TEACHING_KINDS);
}
