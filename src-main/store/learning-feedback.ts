import { sql } from 'kysely';
import { type FeedbackState, TEACHING_KINDS } from '../../src-preload/contract/learning.ts';
import type { Db } from './database.ts';
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

/** What people said of answers. What a method has written when it returns survives the death of the process. */
export class FeedbackStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @param most how much may wait, be put aside or be noted
   * @returns its id, or that of what has the same key; undefined where the answer is not kept
   */
  async add(row: NewFeedbackRow, most: number): Promise<number | 'full' | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const same = trx.selectFrom('learning_feedback').select('id').where('key', '=', row.key);
      const known = await same.executeTakeFirst();
      if (known) return known.id;
      const kept = trx.selectFrom('learning_completions').select('id').where('id', '=', row.completion);
      if (!(await kept.executeTakeFirst())) return undefined;
      if ((await unlearnt(trx, most)) >= most) return 'full';
      const added = trx.insertInto('learning_feedback').values(row).returning('id');
      return (await added.executeTakeFirstOrThrow()).id;
    });
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

  /** @returns whether it waited, was put aside, or was noted */
  async withdraw(id: number): Promise<boolean> {
    return (await withdrawFeedback(this.#db).where('id', '=', id).executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** Of what teaches: how much waits to be learnt, how much a run has taken, and how much is put aside. */
  async counts(): Promise<{ waiting: number; taken: number; aside: number }> {
    const of = async (state: FeedbackState) => {
      const counted = this.#db.selectFrom('learning_feedback').select(({ fn }) => fn.countAll<number>().as('count'));
      const teaching = counted.where('state', '=', state).where('kind', 'in', TEACHING_KINDS);
      return (await teaching.executeTakeFirstOrThrow()).count;
    };
    return { waiting: await of('waiting'), taken: await of('taken'), aside: await of('aside') };
  }

  #withAnswers() {
    return this.#db
      .selectFrom('learning_feedback as feedback')
      .innerJoin('learning_completions as answer', 'answer.id', 'feedback.completion')
      .selectAll('feedback')
      .select(['answer.text as said', sql<string | null>`answer.input ->> '$.messages[#-1].content'`.as('question')]);
  }
}

/** What waits, is put aside, or is noted: a run has not taken it. */
const UNLEARNT = ['waiting', 'aside', 'noted'];

/** Takes feedback back, as far as that can be; to be narrowed down to what is meant. */
export function withdrawFeedback(db: Db) {
  return db.updateTable('learning_feedback').set({ state: 'withdrawn' }).where('state', 'in', UNLEARNT);
}

/** How much waits, is put aside, or is noted. @param most where counting may stop */
async function unlearnt(db: Db, most: number): Promise<number> {
  const some = db.selectFrom('learning_feedback').select('id');
  const found = some.where('state', 'in', UNLEARNT).limit(most);
  const counted = db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}
