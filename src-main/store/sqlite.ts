import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import { makeFolderNow } from '../base/folder.ts';
import { databaseDamaged, explainSqliteError } from '../base/sqlite-error.ts';

/** Bytes that the write-ahead log keeps on the disk when a long reader has made it grow: a few times what it needs from one checkpoint to the next. */
const WAL_LEFT = 16 * 1024 * 1024;

/**
 * Opens (and creates) a database file. WAL with `synchronous=FULL`: a transaction that has returned survives a power cut. What is deleted
 * is overwritten. A short file is
 * read through first; a long one would hold up the start, and is looked at while the node works (app/node/ledger-check.ts).
 *
 * @param path file, or `:memory:` in tests
 * @param busyMs milliseconds to wait for another program that holds the file. Default 5,000
 * @throws DATABASE_CORRUPT when the file is not a sound SQLite database; CONFIG_INVALID when it cannot be written
 */
export function openSqlite(path: string, busyMs = 5_000): SQLite.Database {
  try {
    if (path !== ':memory:') {
      makeFolderNow(dirname(path));
      keepForOwner(path);
    }
    const sqlite = new SQLite(path);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma(`journal_size_limit = ${WAL_LEFT}`);
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    sqlite.pragma(`busy_timeout = ${busyMs}`);
    const verdict = isShort(sqlite) ? sqlite.pragma('quick_check(1)', { simple: true }) : 'ok';
    if (verdict !== 'ok') {
      sqlite.close();
      throw databaseDamaged(path, String(verdict));
    }
    return sqlite;
  } catch (error) {
    throw explainSqliteError(error, path);
  }
}

/**
 * Brings what was written into the database file and empties the write-ahead log, in which old pages stay until they are written over. It
 * waits for nobody: while another process reads the file, the log stays as it is.
 */
export async function emptyLog<T>(db: Kysely<T>): Promise<void> {
  await db.connection().execute(async (only) => {
    const { rows } = await sql<{ timeout: number }>`PRAGMA busy_timeout`.execute(only);
    await sql`PRAGMA busy_timeout = 0`.execute(only);
    try {
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(only);
    } finally {
      await sql.raw(`PRAGMA busy_timeout = ${rows[0]?.timeout ?? 0}`).execute(only);
    }
  });
}

/** Bytes that are read through in a fraction of a second. */
export const SHORT_FILE = 64 * 1024 * 1024;

function isShort(sqlite: SQLite.Database): boolean {
  const read = (name: string) => Number(sqlite.pragma(name, { simple: true }));
  return read('page_count') * read('page_size') <= SHORT_FILE;
}

/** It holds conversations: only its owner may read it. The files that SQLite puts beside it take the same permissions. */
function keepForOwner(path: string): void {
  try {
    const file = openSync(path, 'a', 0o600);
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600); // a device is everybody's
    } finally {
      closeSync(file);
    }
  } catch {
    // Where it cannot be written, SQLite says so.
  }
}

/** Prepared statements to keep; more texts than the whole program has. */
const MAX_STATEMENTS = 256;

/**
 * Kysely's SQLite dialect, with prepared statements kept, errors not hidden, and migrations that happen as a whole or not
 * at all: SQLite can take tables back too.
 */
export class QuarryDialect extends SqliteDialect {
  readonly #sqlite: SQLite.Database;

  constructor(sqlite: SQLite.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new QuarryDriver(this.#sqlite);
  }

  override createAdapter(): SqliteAdapter {
    return new QuarryAdapter();
  }
}

class QuarryAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class QuarryDriver extends SqliteDriver {
  readonly #sqlite: SQLite.Database;

  constructor(sqlite: SQLite.Database) {
    super({ database: { prepare: keepStatements(sqlite), close: () => sqlite.close() } });
    this.#sqlite = sqlite;
  }

  /** Takes the right to write at once: one that began by reading could not wait for another process that writes. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /**
   * When the disk is full, SQLite rolls the transaction back by itself; Kysely would roll back once more, fail, and throw
   * that failure instead of the reason.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Preparing takes longer than running; Kysely prepares every query anew. */
function keepStatements(sqlite: SQLite.Database): (text: string) => SQLite.Statement<unknown[]> {
  const statements = new Map<string, SQLite.Statement<unknown[]>>();
  return (text) => {
    const kept = statements.get(text);
    if (kept && !kept.busy) return kept;
    const statement = sqlite.prepare<unknown[]>(text);
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  };
}
