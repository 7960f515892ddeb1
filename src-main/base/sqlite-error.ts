import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';

/** Turns SQLite's error codes into errors that tell a person what to do; others pass unchanged. */
export function explainSqliteError(error: unknown, path: string): unknown {
  const code = (error as { code?: string } | undefined)?.code ?? '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return databaseDamaged(path, code);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code.startsWith('SQLITE_IOERR')) {
    return new QuarryError(
      {
        code: 'DISK_FULL',
        message: say('database.full', { path, code }),
        hint: say('database.free'),
      },
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new QuarryError(
      {
        code: 'DATABASE_UNREACHABLE',
        message: say('database.busy', { path }),
        hint: say('database.letGo'),
        retryable: true,
      },
      { cause: error },
    );
  }
  if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY' || code === 'EACCES' || code === 'EROFS') {
    return new QuarryError(
      {
        code: 'CONFIG_INVALID',
        message: say('database.readOnly', { path, code }),
        hint: say('database.permissions'),
      },
      { cause: error },
    );
  }
  return error;
}

/** What a person can do about a database that SQLite cannot read. */
export function databaseDamaged(path: string, detail: string): QuarryError {
  return new QuarryError({
    code: 'DATABASE_CORRUPT',
    message: say('database.damaged', { path, detail }),
    hint: say('database.restore'),
  });
}
