import type { AnswerDoor } from '../../src-preload/contract/kept-answers.ts';
import { Slices } from '../base/slices.ts';
import type { Db } from './database.ts';
import { withdrawFeedback } from './learning-feedback.ts';
import type { TableGroup } from './migrate.ts';
import { emptyLog } from './sqlite.ts';
import type { Trx } from './writer.ts';

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

export const learningCompletions: TableGroup<CompletionTables> = {
  migrations: { '0548-learning-completions': SCHEMA },
  leftOutOfBackups: ['learning_completions'],
};

/** Feedback that was taken back keeps no answer from being forgotten. */
const WITHDRAWN = 'withdrawn';
/** Answers that are looked at, and forgotten, in one go: the database is held up for a moment only. */
const AT_ONCE = 200;

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

  /** The newest of which people see this. @param textHash 64 hex */
  async findByText(textHash: string): Promise<CompletionRow | undefined> {
    return await this.#db
      .selectFrom('learning_completions')
      .selectAll()
      .where('text_hash', '=', textHash)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** What was asked last, of the model with this file, the newest first. `input`: JSON */
  async lastAsked(base: string, limit: number): Promise<Pick<CompletionRow, 'id' | 'input'>[]> {
    const rows = this.#db.selectFrom('learning_completions').select(['id', 'input']).where('base', '=', base);
    return await rows.orderBy('at', 'desc').limit(limit).execute();
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

  /**
   * Forgets these, but for those that feedback refers to.
   * @param ids 1,000 at the most
   * @param withdraw takes back first what was said of them and may be taken back. Default false
   */
  async forget(ids: readonly string[], withdraw = false): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      if (withdraw) await withdrawFeedback(trx).where('completion', 'in', ids).execute();
      const held = trx.selectFrom('learning_feedback').select('completion').where('completion', 'in', ids);
      const stay = new Set((await held.where('state', '!=', WITHDRAWN).execute()).map(({ completion }) => completion));
      await forget(
        trx,
        ids.filter((id) => !stay.has(id)),
      );
    });
  }
}

/** With the feedback that was taken back. */
async function forget(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('learning_feedback').where('completion', 'in', ids).execute();
  await trx.deleteFrom('learning_completions').where('id', 'in', ids).execute();
}
