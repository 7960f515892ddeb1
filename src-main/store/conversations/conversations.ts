import { type Generated, sql } from 'kysely';
import type { AskOptions, Conversation, Turn } from '../../../src-preload/contract/conversations.ts';
import type { Db } from '../database.ts';
import type { TableGroup } from '../migrate.ts';
import { type KeptFile, readError, readFiles, readOptions, readPaid, readSources, readUses } from './kept-turns.ts';
import { LONG_FILES, type LongFileTables, NO_WORD_INDEX } from './long-files.ts';

type Answer = NonNullable<Turn['answer']>;

/** Times are Unix milliseconds. */
interface ConversationRow {
  id: string;
  /** Empty until something was asked. */
  title: string;
  /** How answers are made, as JSON. */
  options: string;
  created_at: number;
  /** When something was last asked. */
  updated_at: number;
  /** Id of the last turn of the branch that is shown; null before the first. */
  leaf: number | null;
}

/** What the user wrote, or an answer: only that has the columns from `state` on. */
interface TurnRow {
  id: Generated<number>;
  conversation: string;
  role: Turn['role'];
  text: string;
  at: number;
  state: Answer['state'] | null;
  target: Answer['target'] | null;
  model: string | null;
  worker: string | null;
  /** Which version of an adapter answered, as it was called then; null: the model as it is. */
  version: string | null;
  tokens: number | null;
  first_token_ms: number | null;
  total_ms: number | null;
  tokens_per_second: number | null;
  /** Why it failed, as JSON. */
  error: string | null;
  /** What it cost, as JSON; null where that was nothing, or was not noted yet. */
  paid: string | null;
  /** Tools that were used for it, as JSON; null where there were none. */
  uses: string | null;
  /** What a question brought along, as JSON; null where that is nothing. */
  files: string | null;
  /** What of long files the model read with the question, as JSON; null where that is nothing. */
  sources: string | null;
  /** Id of the turn that it follows; null for the first. Always smaller than its own. */
  parent: number | null;
}

/** What only an answer has. */
type AnswerColumns = Omit<TurnRow, 'id' | 'conversation' | 'role' | 'text' | 'at' | 'parent' | 'files'>;

interface ConversationTables extends LongFileTables {
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

/** Every turn follows another one; what was one line of turns stays so. */
const BRANCHES = [
  'ALTER TABLE turns ADD COLUMN parent INTEGER',
  'ALTER TABLE conversations ADD COLUMN leaf INTEGER',
  `UPDATE turns SET parent = (
    SELECT max(id) FROM turns AS earlier WHERE earlier.conversation = turns.conversation AND earlier.id < turns.id
  )`,
  'UPDATE conversations SET leaf = (SELECT max(id) FROM turns WHERE conversation = conversations.id)',
];

export const conversations: TableGroup<ConversationTables> = {
  migrations: {
    '0500-conversations': SCHEMA,
    '0511-paid-answers': ['ALTER TABLE turns ADD COLUMN paid TEXT'],
    '0514-branches': BRANCHES,
    '0516-attached-files': ['ALTER TABLE turns ADD COLUMN files TEXT'],
    '0519-tool-uses': ['ALTER TABLE turns ADD COLUMN uses TEXT'],
    '0520-long-files': ['ALTER TABLE turns ADD COLUMN sources TEXT', ...LONG_FILES],
    '0521-no-word-index': NO_WORD_INDEX,
    '0552-answering-versions': ['ALTER TABLE turns ADD COLUMN version TEXT'],
  },
};

/** A turn that has no number yet. */
export type NewTurn = Omit<Turn, 'id' | 'versions' | 'files'> & { files?: KeptFile[] | undefined };

/** A turn with its place among the branches. */
export type StoredTurn = NewTurn & Pick<Turn, 'id'> & Pick<TurnRow, 'parent'>;

export type AnswerTurn = Pick<Turn, 'id' | 'role' | 'text' | 'at'> & { answer: Answer };

/** A step of a conversation. */
export interface Advance {
  /** When, in Unix milliseconds. */
  at: number;
  /** What it is called if it has no title yet. */
  title: string;
  /** One follows the other. */
  added: NewTurn[];
  /** Id of the turn that the first of them follows; null where it is the first of all. Default: the end of the branch that is shown. */
  after?: number | null;
  /** Id of the turn that goes. */
  dropped?: number | undefined;
}

/** Conversations and their turns. What a method has written when it returns survives the death of the process. */
export class ConversationStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Newest first. @param search only those with this text, in their title or in a turn */
  async list({ limit, search }: { limit: number; search?: string | undefined }): Promise<Conversation[]> {
    const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await this.#db
      .selectFrom('conversations')
      .selectAll()
      .$if(Boolean(search), (query) =>
        query.where(
          sql<boolean>`(title LIKE ${pattern} ESCAPE '\\' OR EXISTS (
            SELECT 1 FROM turns WHERE conversation = conversations.id AND text LIKE ${pattern} ESCAPE '\\'))`,
        ),
      )
      .orderBy('updated_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(conversationOf);
  }

  async count(): Promise<number> {
    const counted = this.#db.selectFrom('conversations').select((eb) => eb.fn.countAll<number>().as('count'));
    return (await counted.executeTakeFirstOrThrow()).count;
  }

  async find(id: string): Promise<Conversation | undefined> {
    const row = await this.#db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst();
    return row && conversationOf(row);
  }

  /** Those of all branches, in the order in which they were said. */
  async turns(conversation: string): Promise<StoredTurn[]> {
    const turns = this.#db.selectFrom('turns').selectAll().where('conversation', '=', conversation);
    return (await turns.orderBy('id').execute()).map(turnOf);
  }

  /** Id of the last turn of the branch that is shown; null where there is none. */
  async leaf(conversation: string): Promise<number | null> {
    const row = this.#db.selectFrom('conversations').select('leaf').where('id', '=', conversation);
    return (await row.executeTakeFirst())?.leaf ?? null;
  }

  /** Shows the branch that ends with this turn. No effect when the conversation is gone. */
  async show(conversation: string, leaf: number): Promise<void> {
    await this.#db.updateTable('conversations').set({ leaf }).where('id', '=', conversation).execute();
  }

  async insert(conversation: Conversation): Promise<void> {
    await this.#db.insertInto('conversations').values(rowOf(conversation)).execute();
  }

  /** No effect when it is gone. */
  async update(id: string, { title, options }: { title?: string; options?: AskOptions }): Promise<void> {
    const changes = { title, options: options && JSON.stringify(options) };
    if (title === undefined && options === undefined) return;
    await this.#db.updateTable('conversations').set(changes).where('id', '=', id).execute();
  }

  /** Ids of the turns in which this node's own model answered. */
  async ownAnswers(id: string): Promise<number[]> {
    const turns = this.#db.selectFrom('turns').select('id').where('conversation', '=', id);
    return (await turns.where('target', '=', 'local').execute()).map((turn) => turn.id);
  }

  /** With all its turns; its long files belong to none from here on. Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('conversations').where('id', '=', id).execute();
  }

  async removeAll(): Promise<void> {
    await this.#db.deleteFrom('conversations').execute();
  }

  /**
   * Adds turns, shows them, and drops one, all at once or nothing.
   *
   * @returns whether the conversation was still there
   */
  async advance(id: string, { at, title, added, after, dropped }: Advance): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const changes = { updated_at: at, title: sql<string>`CASE title WHEN '' THEN ${title} ELSE title END` };
      const updated = trx.updateTable('conversations').set(changes).where('id', '=', id).returning('leaf');
      const row = await updated.executeTakeFirst();
      if (!row) return false;
      if (dropped !== undefined) await trx.deleteFrom('turns').where('id', '=', dropped).execute();
      let leaf = after === undefined ? row.leaf : after;
      for (const turn of added) {
        const inserted = trx
          .insertInto('turns')
          .values(turnRow(id, turn, leaf))
          .returning('id');
        leaf = (await inserted.executeTakeFirstOrThrow()).id;
        const long = (turn.files ?? []).flatMap((file) => ('long' in file ? [file.long] : []));
        if (long.length > 0) await trx.updateTable('long_files').set({ asked: 1 }).where('id', 'in', long).execute();
      }
      await trx.updateTable('conversations').set({ leaf }).where('id', '=', id).execute();
      return true;
    });
  }

  /** Writes down how far an answer has come. No effect when it is gone. */
  async saveAnswer(turn: AnswerTurn): Promise<void> {
    const { text } = turn;
    await this.#db
      .updateTable('turns')
      .set({ text, ...answerColumns(turn.answer) })
      .where('id', '=', turn.id)
      .execute();
  }

  /** The figures of answers among the newest turns of all conversations, newest first. @param turns how many are looked at */
  async newestAnswers(turns: number): Promise<Answer[]> {
    const columns = ['state', 'target', 'model', 'worker', 'tokens', 'first_token_ms'] as const;
    const newest = this.#db
      .selectFrom('turns')
      .select([...columns, 'version', 'total_ms', 'tokens_per_second', 'error', 'paid', 'uses', 'sources'])
      .orderBy('id', 'desc')
      .limit(turns);
    return (await newest.execute()).map(answerOf).filter((answer) => answer !== null);
  }

  /** Answers that a process which died was giving are marked as such. @returns how many there were */
  async interruptAll(): Promise<number> {
    const { numUpdatedRows } = await this.#db
      .updateTable('turns')
      .set({ state: 'interrupted' })
      .where('state', '=', 'answering')
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }
}

function conversationOf(row: Omit<ConversationRow, 'leaf'>): Conversation {
  const { id, title, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, title, createdAt, updatedAt, options: readOptions(row.options) };
}

function rowOf({ id, title, createdAt, updatedAt, options }: Conversation): ConversationRow {
  return { id, title, options: JSON.stringify(options), created_at: createdAt, updated_at: updatedAt, leaf: null };
}

function turnOf(row: Omit<TurnRow, 'id'> & { id: number }): StoredTurn {
  const { id, role, text, at, parent } = row;
  const files = row.files === null ? {} : { files: readFiles(row.files) };
  return { id, role, text, at, parent, ...files, answer: answerOf(row) };
}

function answerOf({ state, target, model, worker, tokens, ...row }: AnswerColumns): Turn['answer'] {
  if (state === null || target === null) return null;
  return {
    state,
    target,
    model,
    worker,
    ...(row.version !== null && { version: row.version }),
    tokens: tokens ?? 0,
    firstTokenMs: row.first_token_ms,
    totalMs: row.total_ms,
    tokensPerSecond: row.tokens_per_second,
    paid: row.paid === null ? [] : readPaid(row.paid),
    ...(row.uses !== null && { uses: readUses(row.uses) }),
    ...(row.sources !== null && { sources: readSources(row.sources) }),
    error: row.error === null ? null : readError(row.error),
  };
}

function turnRow(
  conversation: string,
  { role, text, at, files, answer }: NewTurn,
  parent: number | null,
): Omit<TurnRow, 'id'> {
  const attached = files?.length ? JSON.stringify(files) : null;
  return { conversation, role, text, at, parent, files: attached, ...answerColumns(answer) };
}

function answerColumns(answer: Turn['answer']) {
  return {
    state: answer?.state ?? null,
    target: answer?.target ?? null,
    model: answer?.model ?? null,
    worker: answer?.worker ?? null,
    version: answer?.version ?? null,
    tokens: answer?.tokens ?? null,
    first_token_ms: answer?.firstTokenMs ?? null,
    total_ms: answer?.totalMs ?? null,
    tokens_per_second: answer?.tokensPerSecond ?? null,
    error: answer?.error ? JSON.stringify(answer.error) : null,
    paid: answer?.paid.length ? JSON.stringify(answer.paid) : null,
    uses: answer?.uses?.length ? JSON.stringify(answer.uses) : null,
    sources: answer?.sources ? JSON.stringify(answer.sources) : null,
  };
}
