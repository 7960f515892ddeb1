import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { databaseDamaged, explainSqliteError } from '../base/sqlite-error.ts';
import type { ConversationTables } from './conversation-tables.ts';
import { conversationMigrations } from './conversation-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { ledgerMigrations } from './ledger-tables.ts';
import type { ModelTables } from './model-tables.ts';
import { modelMigrations } from './model-tables.ts';
import type { OwnEntryTables } from './own-entry-tables.ts';
import { ownEntryMigrations } from './own-entry-tables.ts';
import type { PeerTables } from './peer-tables.ts';
import { peerMigrations } from './peer-tables.ts';
import type { ScoreTables } from './score-tables.ts';
import { scoreMigrations } from './score-tables.ts';
import { QuarryDialect } from './sqlite-dialect.ts';

/** Every table of the embedded database, by the group that owns it. */
export interface Tables
  extends LedgerTables,
    PeerTables,
    ScoreTables,
    ModelTables,
    OwnEntryTables,
    ConversationTables {}

export type Db = Kysely<Tables>;

/** Names sort in the order in which migrations run: `NNNN-what`. Never edit one that has shipped. */
const migrations: Record<string, Migration> = {
  ...ledgerMigrations,
  ...peerMigrations,
  ...scoreMigrations,
  ...modelMigrations,
  ...ownEntryMigrations,
  ...conversationMigrations,
};

/**
 * Opens (and creates, and migrates) the database file. WAL with `synchronous=FULL`: a transaction that has returned
 * survives a power cut.
 *
 * @param path file, or `:memory:` in tests
 * @throws DATABASE_CORRUPT when the file is not a sound SQLite database; DISK_FULL when it cannot grow
 */
export async function openDatabase(path: string): Promise<Db> {
  const sqlite = openSqlite(path);
  const db = new Kysely<Tables>({ dialect: new QuarryDialect(sqlite) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw explainSqliteError(error, path);
  }
  return db;
}

function openSqlite(path: string): SQLite.Database {
  try {
    if (path !== ':memory:') {
      mkdirSync(dirname(path), { recursive: true });
      keepForOwner(path);
    }
    const sqlite = new SQLite(path);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('busy_timeout = 5000');
    const verdict = sqlite.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') {
      sqlite.close();
      throw databaseDamaged(path, String(verdict));
    }
    return sqlite;
  } catch (error) {
    throw explainSqliteError(error, path);
  }
}

/** It holds conversations: only its owner may read it. The files that SQLite puts beside it take the same permissions. */
function keepForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch {
    // Where it cannot be written, SQLite says so.
  }
}
