import { sql } from 'kysely';
import { type FeedbackState, TEACHING_KINDS } from '../../../src-preload/contract/learning.ts';
import type { Db } from '../database.ts';
import { TRIED, UNLEARNT, withdrawFeedback } from './feedback-states.ts';
import { privateIn, QUESTION } from './learning-completions.ts';
import type { FeedbackRow } from './learning-runs.ts';

/** Feedback with its answer: what was asked last, and what the model wrote. */
export interface FeedbackOfAnswer extends FeedbackRow {
  question: string | null;
  said: string;
}

export type NewFeedbackRow = Omit<FeedbackRow, 'id' | 'failures' | 'failure'>;

export interface FeedbackPage {
  /** Only with smaller ids. */
  before?: number | undefined;
  limit: number;
  state?: FeedbackState | undefined;
  /** Only of these answers, by their ids. */
  answers?: readonly string[] | undefined;
}

/** Of one adapter. */
export interface FeedbackCounts {
  adapter: string;
  waiting: number;
  taken: number;
  aside: number;
}

/** What people said of answers. What a method has written when it returns survives the death of the process. */
export class FeedbackStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds all of them, or none.
   * @param most how much may wait, be put aside or be noted
   * @returns their ids, or those of what has the same keys; `mixed` where some of the keys are known and others are not; undefined where an answer is not kept, or its
   * conversation has become private
   */
  async add(rows: readonly NewFeedbackRow[], most: number): Promise<number[] | 'full' | 'mixed' | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const keys = rows.map(({ key }) => key);
      const same = await trx.selectFrom('learning_feedback').select(['id', 'key']).where('key', 'in', keys).execute();
      if (same.length > 0) return same.length < rows.length ? 'mixed' : inOrder(rows, same);
      const answers = new Set(rows.map(({ completion }) => completion));
      const kept = trx
        .selectFrom('learning_completions')
        .select('id')
        .where('id', 'in', [...answers]);
      if ((await kept.where('id', 'not in', privateIn(trx)).execute()).length < answers.size) return undefined;
      if ((await unlearnt(trx, most)) + rows.length > most) return 'full';
      const added = trx.insertInto('learning_feedback').values(rows).returning(['id', 'key']);
      return inOrder(rows, await added.execute());
    });
  }

  /** Whether something was given with this key. */
  async isKnown(key: string): Promise<boolean> {
    const found = this.#db.selectFrom('learning_feedback').select('id').where('key', '=', key);
    return (await found.executeTakeFirst()) !== undefined;
  }

  async find(id: number): Promise<FeedbackOfAnswer | undefined> {
    return await this.#withAnswers().where('feedback.id', '=', id).executeTakeFirst();
  }

  /** Newest first. */
  async list({ before, limit, state, answers }: FeedbackPage): Promise<FeedbackOfAnswer[]> {
    let rows = this.#withAnswers().orderBy('feedback.id', 'desc').limit(limit);
    if (answers !== undefined) rows = rows.where('feedback.completion', 'in', answers);
    if (before !== undefined) rows = rows.where('feedback.id', '<', before);
    if (state !== undefined) rows = rows.where('feedback.state', '=', state);
    return await rows.execute();
  }

  /** @returns whether nothing was learnt from it, and no run learns from it now */
  async withdraw(id: number): Promise<boolean> {
    return (await withdrawFeedback(this.#db).where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** What was rejected or put aside waits again; what waits already, stays. @returns the first that is neither; then all stay as they are */
  async retry(ids: readonly number[]): Promise<Pick<FeedbackRow, 'id' | 'state'> | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const wanted = trx.selectFrom('learning_feedback').select(['id', 'state']).where('id', 'in', ids);
      const other = await wanted.where('state', 'not in', ['waiting', ...TRIED]).executeTakeFirst();
      if (other) return other;
      const again = trx.updateTable('learning_feedback').set({ state: 'waiting' }).where('id', 'in', ids);
      await again.where('state', 'in', TRIED).execute();
      return undefined;
    });
  }

  /** Of what teaches, for each adapter that has any, by its name: how much waits to be learnt, how much a run has taken, and how much is put aside. */
  async counts(): Promise<FeedbackCounts[]> {
    const { sum } = this.#db.fn;
    const of = (state: FeedbackState) => sum<number>(sql<number>`state = ${state}`);
    return await this.#db
      .selectFrom('learning_feedback')
      .select(['name as adapter', of('waiting').as('waiting'), of('taken').as('taken'), of('aside').as('aside')])
      .where('state', 'in', ['waiting', 'taken', 'aside'])
      .where('kind', 'in', TEACHING_KINDS)
      .groupBy('name')
      .orderBy('name')
      .execute();
  }

  #withAnswers() {
    return this.#db
      .selectFrom('learning_feedback as feedback')
      .innerJoin('learning_completions as answer', 'answer.id', 'feedback.completion')
      .selectAll('feedback')
      .select(['answer.text as said', QUESTION.as('question')]);
  }
}

/** Ids of rows, in the order of their keys there. */
function inOrder(rows: readonly NewFeedbackRow[], found: readonly Pick<FeedbackRow, 'id' | 'key'>[]): number[] {
  const ids = new Map(found.map(({ id, key }) => [key, id]));
  return rows.flatMap(({ key }) => ids.get(key) ?? []);
}

/** How much waits, is put aside, or is noted. @param most where counting may stop */
async function unlearnt(db: Db, most: number): Promise<number> {
  const some = db.selectFrom('learning_feedback').select('id');
  const found = some.where('state', 'in', UNLEARNT).limit(most);
  const counted = db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}
