import type { Db } from './database.ts';

/** What people said of answers. */
export class FeedbackStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** How much waits to be learnt, and how much a run has taken. */
  async counts(): Promise<{ waiting: number; taken: number }> {
    const of = async (state: string) => {
      const counted = this.#db.selectFrom('learning_feedback').select(({ fn }) => fn.countAll<number>().as('count'));
      return (await counted.where('state', '=', state).executeTakeFirstOrThrow()).count;
    };
    return { waiting: await of('waiting'), taken: await of('taken') };
  }
}
