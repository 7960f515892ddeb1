import type SQLite from 'better-sqlite3';
import { type DatabaseConnection, type Driver, SqliteDialect, SqliteDriver } from 'kysely';

/** Prepared statements to keep; more texts than the whole program has. */
const MAX_STATEMENTS = 256;

/** Kysely's SQLite dialect, with prepared statements kept and errors not hidden. */
export class QuarryDialect extends SqliteDialect {
  readonly #sqlite: SQLite.Database;

  constructor(sqlite: SQLite.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new QuarryDriver(this.#sqlite);
  }
}

class QuarryDriver extends SqliteDriver {
  readonly #sqlite: SQLite.Database;

  constructor(sqlite: SQLite.Database) {
    super({ database: { prepare: keepStatements(sqlite), close: () => sqlite.close() } });
    this.#sqlite = sqlite;
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
