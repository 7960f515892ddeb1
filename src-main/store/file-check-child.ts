import SQLite from 'better-sqlite3';

/** Entry of the process that reads a database file through: SQLite does so in one go, a long one takes it minutes. */
const [path = ''] = process.argv.slice(2);

function look(): string {
  try {
    const sqlite = new SQLite(path, { fileMustExist: true });
    sqlite.pragma('query_only = ON');
    return String(sqlite.pragma('quick_check(1)', { simple: true }));
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}

// It has begun when it is told to: whoever started it listens by then.
process.once('message', () => process.send?.({ verdict: look() }));
