import { sql } from 'kysely';
import type { AnswerDoor } from '../../../src-preload/contract/kept-answers.ts';
import { Slices } from '../../base/slices.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { emptyLog } from '../sqlite.ts';
import { withdrawFeedback } from './feedback-states.ts';

/** An answer of this node's own model to somebody of this node, kept so that feedback can refer to it. */
export interface CompletionRow {
  id: string;
  /** Unix milliseconds. */
  at: number;
  /** By which door the question came. */
  door: AnswerDoor;
  /** As the request named it. */
  model: string;
  /** SHA-256 of the model's file, 64 hex. */
  base: string;
  /** Id of the adapter's version that answered; null: the model as it is. */
  adapter: string | null;
  /** JSON of what was asked: messages, or a raw prompt. */
  input: string;
  /** All system messages, joined by newlines; null where there is none. */
  system: string | null;
  /** As the model wrote it, with what it thought. */
  text: string;
  /** SHA-256 of what people see of it, 64 hex. */
  text_hash: string;
  /** All tokens that were sampled, with the one that ended the answer: uint32, little-endian. */
  tokens: Uint8Array;
  /** Natural-log probabilities of the first so many of them, those of the text, when they were sampled: float32, little-endian. */
  logprobs: Uint8Array;
  prompt_tokens: number;
  /** What the row takes, about. */
  bytes: number;
}

interface CompletionTables {
  learning_completions: CompletionRow;
  /** Answers whose conversation has become private: they are there for what was learnt from them, and nothing more is. */
  learning_private: { completion: string };
}

const SCHEMA = [
  `CREATE TABLE learning_completions (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    door TEXT NOT NULL,
    model TEXT NOT NULL,
    base TEXT NOT NULL,
    adapter TEXT,
    input TEXT NOT NULL,
    system TEXT,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    tokens BLOB NOT NULL,
    logprobs BLOB NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX learning_completions_by_time ON learning_completions (at, bytes)',
  'CREATE INDEX learning_completions_by_text ON learning_completions (text_hash, at)',
];

const PRIVATE = `CREATE TABLE learning_private (
    completion TEXT PRIMARY KEY REFERENCES learning_completions (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID`;

export const learningCompletions: TableGroup<CompletionTables> = {
  migrations: { '0548-learning-completions': SCHEMA, '0554-private-answers': [PRIVATE] },
  leftOutOfBackups: ['learning_private', 'learning_completions'],
};

/** Feedback that was taken back keeps no answer from being forgotten. */
const WITHDRAWN = 'withdrawn';
/** Answers among which the last questions are looked for. */
const LOOKED_AT = 2_000;
/** Answers that are looked at, and forgotten, in one go: the database is held up for a moment only. */
const AT_ONCE = 200;

/** An answer in a list, with what was asked last. */
export interface ListedCompletion extends Pick<CompletionRow, 'id' | 'at' | 'door' | 'adapter' | 'text'> {
  question: string | null;
}

/** Of `answer`, what was asked last; null where that is damaged, so that the rest of a list is shown all the same. */
export const QUESTION = sql<
  string | null
>`iif(json_valid(answer.input), answer.input ->> '$.messages[#-1].content', NULL)`;

/** What is forgotten of the answers that no feedback refers to. */
export interface ForgetOptions {
  /** Only what is older, in Unix milliseconds. Default: whatever there is. */
  before?: number;
  /** Only what was asked for there. Default: wherever. */
  doors?: readonly AnswerDoor[];
  /** Stops once so many are free. Default: goes on. */
  bytes?: number;
  /** Stops, and is no failure. Default: goes on. */
  signal?: AbortSignal;
}

/** How many answers, and what they took in bytes. */
export interface Forgotten {
  count: number;
  bytes: number;
}

/** Where it goes on, among answers in the order in which they were given. */
type Place = Pick<CompletionRow, 'at' | 'id'>;

/** Answers that are kept. What a method has written when it returns survives the death of the process. */
export class CompletionStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Takes the place of one with the same id. */
  async put(row: CompletionRow): Promise<void> {
    const { id: _, ...changes } = row;
    const put = this.#db.insertInto('learning_completions').values(row);
    await put.onConflict((conflict) => conflict.column('id').doUpdateSet(changes)).execute();
  }

  async find(id: string): Promise<CompletionRow | undefined> {
    return await this.#db.selectFrom('learning_completions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The newest of which people see this, but for those of private conversations. @param textHash 64 hex */
  async findByText(textHash: string): Promise<CompletionRow | undefined> {
    return await this.#db
      .selectFrom('learning_completions')
      .selectAll()
      .where('text_hash', '=', textHash)
      .where('id', 'not in', privateIn(this.#db))
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The newest first, but for those of private conversations. */
  async newest(limit: number): Promise<ListedCompletion[]> {
    return await this.#db
      .selectFrom('learning_completions as answer')
      .select(['id', 'at', 'door', 'adapter', 'text', QUESTION.as('question')])
      .where('id', 'not in', privateIn(this.#db))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Whether its conversation has become private. */
  async isPrivate(id: string): Promise<boolean> {
    const found = this.#db.selectFrom('learning_private').select('completion').where('completion', '=', id);
    return (await found.executeTakeFirst()) !== undefined;
  }

  /**
   * What people asked last of the model with this file, the newest first: nothing of private conversations, and nothing that programs asked, which may be what strangers wrote.
   * Among the newest {@link LOOKED_AT}. `input`: JSON
   */
  async lastAsked(base: string, limit: number): Promise<Pick<CompletionRow, 'id' | 'input'>[]> {
    const newest = this.#db.selectFrom('learning_completions').select('id').orderBy('at', 'desc').limit(LOOKED_AT);
    // Questions may be long: those that are not wanted are neither sorted nor read.
    const asked = this.#db
      .selectFrom('learning_completions')
      .select('id')
      .where('id', 'in', newest)
      .where('base', '=', base)
      .where('door', '!=', 'api')
      .where('id', 'not in', privateIn(this.#db))
      .orderBy('at', 'desc')
      .limit(limit);
    const questions = this.#db.selectFrom('learning_completions').select(['id', 'input']).where('id', 'in', asked);
    return await questions.orderBy('at', 'desc').execute();
  }

  /** How many there are, what they take in bytes, and when the oldest was given; null where there is none. */
  async sum(): Promise<{ count: number; bytes: number; oldest: number | null }> {
    const { count, bytes, oldest } = await this.#db
      .selectFrom('learning_completions')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.sum<number | null>('bytes').as('bytes'),
        fn.min<number | null>('at').as('oldest'),
      ])
      .executeTakeFirstOrThrow();
    return { count, bytes: bytes ?? 0, oldest };
  }

  /** Bytes of those that no feedback refers to. Others get their turn in between. */
  async freeBytes(): Promise<number> {
    let { bytes } = await this.sum();
    const slices = new Slices();
    for (let last = ''; ; ) {
      const held = await this.#held(last);
      bytes -= held.reduce((sum, each) => sum + each.bytes, 0);
      if (held.length < AT_ONCE) return bytes;
      last = held.at(-1)?.completion ?? last;
      if (slices.isOver) await slices.next();
    }
  }

  /** Those that feedback refers to, each once, in the order of their ids. */
  async #held(after: string): Promise<{ completion: string; bytes: number }[]> {
    return await this.#db
      .selectFrom('learning_feedback as feedback')
      .innerJoin('learning_completions as answer', 'answer.id', 'feedback.completion')
      .select(['feedback.completion', 'answer.bytes'])
      .where('feedback.completion', '>', after)
      .where('feedback.state', '!=', WITHDRAWN)
      .groupBy('feedback.completion')
      .orderBy('feedback.completion')
      .limit(AT_ONCE)
      .execute();
  }

  /** Forgets the oldest of those that no feedback refers to. Others get their turn in between. */
  async forgetOldest({ signal, ...options }: ForgetOptions = {}): Promise<Forgotten> {
    const all = { count: 0, bytes: 0 };
    const slices = new Slices();
    for (let place: Place | undefined = { at: Number.MIN_SAFE_INTEGER, id: '' }; place && !signal?.aborted; ) {
      const left = options.bytes === undefined ? Number.POSITIVE_INFINITY : options.bytes - all.bytes;
      if (left <= 0) break;
      const { count, bytes, next } = await this.#forgetSome(place, { ...options, bytes: left });
      all.count += count;
      all.bytes += bytes;
      place = next;
      if (slices.isOver) await slices.next();
    }
    return all;
  }

  /** Goes on behind what it has looked at: what feedback holds is looked at once, however much that is. @returns `next`: undefined at the end */
  async #forgetSome(
    { at, id }: Place,
    { before, doors, bytes: most }: Pick<ForgetOptions, 'before' | 'doors'> & { bytes: number },
  ): Promise<Forgotten & { next: Place | undefined }> {
    return await this.#db.transaction().execute(async (trx) => {
      let rows = trx
        .selectFrom('learning_completions as completion')
        .select(['id', 'at', 'bytes', 'door'])
        .select(({ exists, selectFrom }) =>
          exists(
            selectFrom('learning_feedback')
              .select('learning_feedback.id')
              .whereRef('learning_feedback.completion', '=', 'completion.id')
              .where('state', '!=', WITHDRAWN),
          ).as('held'),
        )
        .where('at', '>=', at)
        .where(({ or, eb }) => or([eb('at', '>', at), eb('id', '>', id)]))
        .orderBy('at')
        .orderBy('id')
        .limit(AT_ONCE);
      if (before !== undefined) rows = rows.where('at', '<', before);
      const looked = await rows.execute();
      let sum = 0;
      const found = looked.filter(({ held, door, bytes }) => {
        const goes = !held && (doors?.includes(door) ?? true) && sum < most;
        if (goes) sum += bytes;
        return goes;
      });
      await forget(
        trx,
        found.map((row) => row.id),
      );
      return { count: found.length, bytes: sum, next: looked.length < AT_ONCE ? undefined : looked.at(-1) };
    });
  }

  /** What was forgotten is in no file any more, as soon as no other process reads the database. */
  async leaveNothing(): Promise<void> {
    await emptyLog(this.#db);
  }

  /** Forgets these, but for those that feedback refers to. @param ids 1,000 at the most */
  async forget(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      const held = trx.selectFrom('learning_feedback').select('completion').where('completion', 'in', ids);
      const stay = new Set((await held.where('state', '!=', WITHDRAWN).execute()).map(({ completion }) => completion));
      await forget(
        trx,
        ids.filter((id) => !stay.has(id)),
      );
    });
  }

  /**
   * Their conversation is private from now on: takes back what was said of them, as far as nothing was learnt from it, and forgets them, but for those that something was
   * learnt from, or is being learnt. No report of a run shows these any more, and nothing more is learnt from them: see {@link forgetPrivate}.
   * @param ids 1,000 at the most
   */
  async makePrivate(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      const kept = await trx.selectFrom('learning_completions').select('id').where('id', 'in', ids).execute();
      const marks = kept.map(({ id }) => ({ completion: id }));
      if (marks.length === 0) return;
      const mark = trx.insertInto('learning_private').values(marks);
      await mark.onConflict((conflict) => conflict.doNothing()).execute();
      await hidePrivate(trx);
      await forgetPrivate(trx);
    });
  }
}

/** No report of a run shows an answer of a private conversation. Before feedback leaves its run. */
export async function hidePrivate(trx: Db): Promise<void> {
  const runs = trx.selectFrom('learning_feedback').select('run').where('completion', 'in', privateIn(trx));
  const verdict = sql<string>`json_remove(verdict, '$.shown')`;
  const shown = trx.updateTable('learning_runs').set({ verdict }).where('id', 'in', runs);
  await shown.where(sql<boolean>`json_valid(verdict)`).execute();
}

/**
 * Takes back what was said of answers of private conversations, as far as nothing was learnt from it, nor is being learnt, and forgets those. To be done again whenever what
 * is being learnt comes to an end.
 */
export async function forgetPrivate(trx: Db): Promise<void> {
  // By the few answers that are private, not through all that was ever said.
  const said = trx.selectFrom('learning_feedback').select('id').where('completion', 'in', privateIn(trx));
  await withdrawFeedback(trx).where('id', 'in', said).execute();
  const free = await privateIn(trx)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('learning_feedback')
            .select('learning_feedback.id')
            .whereRef('learning_feedback.completion', '=', 'learning_private.completion')
            .where('state', '!=', WITHDRAWN),
        ),
      ),
    )
    .execute();
  await forget(
    trx,
    free.map(({ completion }) => completion),
  );
}

export function privateIn(db: Db) {
  return db.selectFrom('learning_private').select('completion');
}

/** With the feedback that was taken back. */
async function forget(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('learning_feedback').where('completion', 'in', ids).execute();
  await trx.deleteFrom('learning_completions').where('id', 'in', ids).execute();
}
