import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { type Db, openDatabase, type Tables } from '../../src-main/store/database.ts';
import { QuarryDialect } from '../../src-main/store/sqlite.ts';

let migrated: Promise<Buffer> | undefined;

/** A database of its own in memory, as `openDatabase(':memory:')` gives it: a copy of one whose migrations ran once, which takes most of the time. */
export async function memoryDatabase(): Promise<Db> {
  migrated ??= migrateOne();
  const sqlite = new SQLite(await migrated);
  sqlite.pragma('foreign_keys = ON');
  return new Kysely<Tables>({ dialect: new QuarryDialect(sqlite) });
}

/** @returns the bytes of a database in which nothing but the migrations has happened */
async function migrateOne(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));
  const file = join(folder, 'migrated.db');
  const db = await openDatabase(':memory:');
  await sql`VACUUM INTO ${file}`.execute(db);
  await db.destroy();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}
