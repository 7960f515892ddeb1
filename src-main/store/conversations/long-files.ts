import { type ExpressionBuilder, type Generated, sql } from 'kysely';
import { bytesOf, numbersOf } from '../../base/packed-numbers.ts';
import type { Db } from '../database.ts';
import { emptyLog } from '../sqlite.ts';

/** A file that is too long for a question. */
interface LongFileRow {
  id: Generated<number>;
  /** Null when its conversation is gone: the file goes too, bit by bit. */
  conversation: string | null;
  name: string;
  /** Of the whole file. */
  chars: number;
  /** 1 when a question came with it. */
  asked: Generated<number>;
}

/** What came of a file, until it is cut into passages. */
interface LongFilePieceRow {
  id: Generated<number>;
  file: number;
  text: string;
}

interface PassageRow {
  id: Generated<number>;
  file: number;
  /** From 1; null in a file without pages. */
  page: number | null;
  /** SHA-256 of the model that made the vector; null before. */
  model: string | null;
  text: string;
  /** Numbers of four bytes, of length 1 together; null until it was read by a model. */
  vector: Buffer | null;
}

export interface LongFileTables {
  long_files: LongFileRow;
  long_file_pieces: LongFilePieceRow;
  passages: PassageRow;
}

/** The tables of long files. Passages are many: nothing deletes them by a cascade. The index of their words is gone again: {@link NO_WORD_INDEX}. */
export const LONG_FILES = [
  `CREATE TABLE long_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT REFERENCES conversations (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    chars INTEGER NOT NULL,
    asked INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'CREATE INDEX long_files_by_conversation ON long_files (conversation)',
  'CREATE INDEX long_files_unasked ON long_files (id) WHERE asked = 0',
  `CREATE TABLE long_file_pieces (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES long_files (id) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX long_file_pieces_by_file ON long_file_pieces (file)',
  `CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES long_files (id),
    page INTEGER,
    model TEXT,
    text TEXT NOT NULL,
    vector BLOB
  ) STRICT`,
  'CREATE INDEX passages_by_file ON passages (file, id, model)',
  `CREATE VIRTUAL TABLE passage_words USING fts5 (
    text, file, content = 'passages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `INSERT INTO passage_words (passage_words, rank) VALUES ('secure-delete', 1)`,
  `CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
    INSERT INTO passage_words (rowid, text, file) VALUES (new.id, new.text, new.file);
  END`,
  `CREATE TRIGGER passages_gone AFTER DELETE ON passages BEGIN
    INSERT INTO passage_words (passage_words, rowid, text, file) VALUES ('delete', old.id, old.text, old.file);
  END`,
];

/** To forget a passage took milliseconds there: a minute for a long file. Words are found by reading (conversations/word-ranking.ts). */
export const NO_WORD_INDEX = ['DROP TRIGGER passages_added', 'DROP TRIGGER passages_gone', 'DROP TABLE passage_words'];

/** `uncut`: some of its text is not in passages yet. */
export type LongFile = Pick<LongFileRow, 'name' | 'chars'> & { id: number; asked: boolean; uncut: boolean };
export type StoredPassage = Pick<PassageRow, 'file' | 'page' | 'text'> & { id: number };
export type NewPassage = Pick<PassageRow, 'page' | 'text'>;

/** Where to go on in a file: after a passage, and with how many. */
export interface Page {
  /** Id of a passage; 0 for the beginning. */
  after: number;
  limit: number;
}

/** Long files and their passages. What a method has written when it returns survives the death of the process. */
export class LongFileStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async of(conversation: string): Promise<LongFile[]> {
    const files = this.#db
      .selectFrom('long_files')
      .select((eb) => ['id', 'name', 'chars', 'asked', eb.exists(piecesOf(eb)).as('uncut')])
      .where('conversation', '=', conversation)
      .orderBy('id');
    return (await files.execute()).map((file) => ({ ...file, asked: Boolean(file.asked), uncut: Boolean(file.uncut) }));
  }

  /** @returns its number */
  async begin(conversation: string, { name, text }: { name: string; text: string }): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      const inserted = trx.insertInto('long_files').values({ conversation, name, chars: text.length }).returning('id');
      const { id } = await inserted.executeTakeFirstOrThrow();
      await trx.insertInto('long_file_pieces').values({ file: id, text }).execute();
      return id;
    });
  }

  /** Goes on with a file that is not cut yet. */
  async append(id: number, text: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('long_files')
        .set({ chars: sql<number>`chars + ${text.length}` })
        .where('id', '=', id)
        .execute();
      await trx.insertInto('long_file_pieces').values({ file: id, text }).execute();
    });
  }

  /** What of a file is not cut to its end yet; empty when all is. */
  async text(file: number): Promise<string> {
    const pieces = this.#db.selectFrom('long_file_pieces').select('text').where('file', '=', file).orderBy('id');
    return (await pieces.execute()).map(({ text }) => text).join('');
  }

  /**
   * Adds the next passages of a file, all at once or nothing.
   * @param last whether they take the place of the text from here on
   * @returns whether its conversation is still there
   */
  async addPassages(file: number, passages: readonly NewPassage[], last: boolean): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const held = trx
        .selectFrom('long_files')
        .select('id')
        .where('id', '=', file)
        .where('conversation', 'is not', null);
      if (!(await held.executeTakeFirst())) return false;
      for (const passage of passages) {
        await trx
          .insertInto('passages')
          .values({ ...passage, file, model: null, vector: null })
          .execute();
      }
      if (last) await trx.deleteFrom('long_file_pieces').where('file', '=', file).execute();
      return true;
    });
  }

  /** How many passages a file has, and how many this model has read. */
  async counted(file: number, model: string): Promise<{ total: number; done: number }> {
    const counted = this.#db
      .selectFrom('passages')
      .select((eb) => [
        eb.fn.countAll<number>().as('total'),
        sql<number>`count(nullif(model = ${model}, 0))`.as('done'),
      ]);
    return await counted.where('file', '=', file).executeTakeFirstOrThrow();
  }

  /** Passages of a file that this model has not read: vectors of another say nothing beside its own. */
  async unread(file: number, model: string, page: Page): Promise<{ id: number; text: string }[]> {
    return await unreadPassages(this.#db, file, model, page).execute();
  }

  async keepVectors(model: string, vectors: readonly { id: number; vector: Float32Array }[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const { id, vector } of vectors) {
        const bytes = bytesOf(vector);
        await trx.updateTable('passages').set({ model, vector: bytes }).where('id', '=', id).execute();
      }
    });
  }

  /** Vectors of a file by this model. */
  async vectors(file: number, model: string, page: Page): Promise<{ id: number; vector: Float32Array }[]> {
    const rows = this.#db.selectFrom('passages').select(['id', 'vector']).where('file', '=', file);
    const read = rows.where('id', '>', page.after).where('model', '=', model).orderBy('id').limit(page.limit);
    return (await read.execute()).flatMap(({ id, vector }) => (vector ? [{ id, vector: numbersOf(vector) }] : []));
  }

  /** Texts of the passages of a file. */
  async texts(file: number, { after, limit }: Page): Promise<{ id: number; text: string }[]> {
    const rows = this.#db.selectFrom('passages').select(['id', 'text']).where('file', '=', file);
    return await rows.where('id', '>', after).orderBy('id').limit(limit).execute();
  }

  /** Ids of the first passages. */
  async first(files: readonly number[], limit: number): Promise<number[]> {
    const first = this.#db.selectFrom('passages').select('id').where('file', 'in', files).orderBy('id').limit(limit);
    return (await first.execute()).map(({ id }) => id);
  }

  async passages(ids: readonly number[]): Promise<StoredPassage[]> {
    if (ids.length === 0) return [];
    const rows = this.#db.selectFrom('passages').select(['id', 'file', 'page', 'text']);
    return await rows.where('id', 'in', ids).execute();
  }

  /** Files that came without the question that they were for go: its page was closed in between. */
  async leaveUnasked(): Promise<void> {
    await this.#db.updateTable('long_files').set({ conversation: null }).where('asked', '=', sql<number>`0`).execute();
  }

  /** Nothing that was deleted stays in the files of the database. Without effect while another process reads them. */
  async forgetDeleted(): Promise<void> {
    await emptyLog(this.#db);
  }

  /** Deletes a little of what belongs to no conversation. @returns whether there may be more */
  async dropSome(rows: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const gone = trx.selectFrom('long_files').select('id').where('conversation', 'is', null).limit(1);
      const file = await gone.executeTakeFirst();
      if (!file) return false;
      for (const table of ['passages', 'long_file_pieces'] as const) {
        const some = trx.selectFrom(table).select('id').where('file', '=', file.id).limit(rows);
        const { numDeletedRows } = await trx.deleteFrom(table).where('id', 'in', some).executeTakeFirst();
        if (numDeletedRows > 0n) return true;
      }
      await trx.deleteFrom('long_files').where('id', '=', file.id).execute();
      return true;
    });
  }
}

/** Goes on behind a passage: what was read before is not looked at again. */
export function unreadPassages(db: Db, file: number, model: string, { after, limit }: Page) {
  const unread = db.selectFrom('passages').select(['id', 'text']).where('file', '=', file).where('id', '>', after);
  return unread.where('model', 'is not', model).orderBy('id').limit(limit);
}

function piecesOf(eb: ExpressionBuilder<LongFileTables, 'long_files'>) {
  return eb
    .selectFrom('long_file_pieces')
    .select('long_file_pieces.id')
    .whereRef('long_file_pieces.file', '=', 'long_files.id');
}
