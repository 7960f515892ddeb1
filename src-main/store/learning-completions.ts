import type { Db } from './database.ts';
import type { TableGroup } from './migrate.ts';

/** An answer of this node's own model to somebody of this node, kept so that feedback can refer to it. */
export interface CompletionRow {
  id: string;
  /** Unix milliseconds. */
  at: number;
  /** By which door the question came. */
  door: 'api' | 'playground' | 'terminal';
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
  /** The sampled tokens: uint32, little-endian. */
  tokens: Uint8Array;
  /** Their natural-log probabilities when they were sampled: float32, little-endian. */
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

/** Answers that are kept. */
export class CompletionStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
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
}
