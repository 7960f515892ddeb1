import SQLite from 'better-sqlite3';
import { explainSqliteError } from './sqlite-error.ts';

/** A lock on a file, held until it is closed or its process dies, however it dies. */
export interface FileLock {
  close(): void;
}

/** An ending process may hold the lock a moment longer, and {@link isLocked} takes it for an instant. */
const PATIENCE_MS = 500;

/**
 * Locks a file: as an empty SQLite database under an exclusive transaction, because Node has no file locks of its own and
 * SQLite's are the operating system's on every platform.
 *
 * @returns undefined when another process (or another lock of this one) holds it
 * @throws CONFIG_INVALID or DISK_FULL when the file cannot be used
 */
export function tryLock(path: string): FileLock | undefined {
  let database: SQLite.Database | undefined;
  try {
    database = new SQLite(path, { timeout: PATIENCE_MS });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = MEMORY'); // nothing is ever written: no second file
    database.exec('BEGIN EXCLUSIVE');
    return hold(database);
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw explainSqliteError(error, path);
  }
}

/** Databases under a lock: one that nobody refers to any more would be collected, and the lock with it. */
const held = new Set<SQLite.Database>();

function hold(database: SQLite.Database): FileLock {
  held.add(database);
  return {
    close() {
      held.delete(database);
      database.close();
    },
  };
}

/** Whether somebody holds the lock. A file that is not there is not locked. */
export function isLocked(path: string): boolean {
  let database: SQLite.Database | undefined;
  try {
    database = new SQLite(path, { readonly: true, fileMustExist: true, timeout: 0 });
    database.pragma('schema_version'); // reads, and so takes the shared lock that the exclusive one forbids
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY';
}
