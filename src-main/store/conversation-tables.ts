import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Turn } from '../../src-preload/contract/conversations.ts';

type Answer = NonNullable<Turn['answer']>;

/** Times are Unix milliseconds. */
export interface ConversationRow {
  id: string;
  /** Empty until something was asked. */
  title: string;
  /** How answers are made, as JSON. */
  options: string;
  created_at: number;
  /** When something was last asked. */
  updated_at: number;
}

/** What the user wrote, or an answer: only that has the columns from `state` on. */
export interface TurnRow {
  id: Generated<number>;
  conversation: string;
  role: Turn['role'];
  text: string;
  at: number;
  state: Answer['state'] | null;
  target: Answer['target'] | null;
  model: string | null;
  worker: string | null;
  tokens: number | null;
  first_token_ms: number | null;
  total_ms: number | null;
  tokens_per_second: number | null;
  /** Why it failed, as JSON. */
  error: string | null;
}

export interface ConversationTables {
  conversations: ConversationRow;
  turns: TurnRow;
}

const SCHEMA = [
  `CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    options TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX conversations_by_update ON conversations (updated_at)',
  // AUTOINCREMENT: the id of an answer that was dropped never means another one.
  `CREATE TABLE turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT CHECK (state IN ('answering', 'done', 'stopped', 'failed', 'interrupted')),
    target TEXT CHECK (target IN ('local', 'mesh')),
    model TEXT,
    worker TEXT,
    tokens INTEGER,
    first_token_ms REAL,
    total_ms REAL,
    tokens_per_second REAL,
    error TEXT,
    CHECK ((role = 'assistant') = (state IS NOT NULL AND target IS NOT NULL AND tokens IS NOT NULL))
  ) STRICT`,
  'CREATE INDEX turns_by_conversation ON turns (conversation, id)',
  `CREATE INDEX turns_answering ON turns (id) WHERE state = 'answering'`,
];

export const conversationMigrations: Record<string, Migration> = {
  '0500-conversations': {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const statement of SCHEMA) await sql.raw(statement).execute(db);
    },
  },
};
