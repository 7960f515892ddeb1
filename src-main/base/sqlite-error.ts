import { QuarryError } from '../../src-preload/contract/errors.ts';

/** Turns SQLite's error codes into errors that tell a person what to do; others pass unchanged. */
export function explainSqliteError(error: unknown, path: string): unknown {
  const code = (error as { code?: string } | undefined)?.code ?? '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return databaseDamaged(path, code);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code.startsWith('SQLITE_IOERR')) {
    return new QuarryError(
      {
        code: 'DISK_FULL',
        message: `The database ${path} cannot be written: the disk is full or failing (${code}).`,
        hint: 'Free some space on that drive, or choose another folder with --data, then start again. Nothing was lost.',
      },
      { cause: error },
    );
  }
  if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY' || code === 'EACCES' || code === 'EROFS') {
    return new QuarryError(
      {
        code: 'CONFIG_INVALID',
        message: `The database ${path} cannot be opened for writing (${code}).`,
        hint: 'Check the folder’s permissions, or choose another with --data.',
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
    message: `The database ${path} is damaged (${detail}).`,
    hint: 'Restore it from a backup, or move it (with its -wal and -shm files) aside and start again with an empty one.',
  });
}
