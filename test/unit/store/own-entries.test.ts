import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, openDatabase, type Tables } from '../../../src-main/store/database.ts';
import { appendEntry, type NewEntry } from '../../../src-main/store/ledger.ts';
import { ledger } from '../../../src-main/store/ledger-tables.ts';
import { migrate } from '../../../src-main/store/migrate.ts';
import { wrongOwnEntries } from '../../../src-main/store/own-entries.ts';
import { QuarryDialect } from '../../../src-main/store/sqlite.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-own-entries-'));
  path = join(dir, 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const ENTRIES: NewEntry[] = [
  { at: 1, kind: 'allowance', key: 'a', postings: { 'own:available': 20, 'issue:allowance': -20 } },
  { at: 2, kind: 'allowance', key: 'b', postings: { 'client:x:available': 20, 'issue:allowance': -20 } },
  { at: 3, kind: 'reserve', key: 'c', postings: { 'own:available': -3, 'own:reserved': 3 } },
  { at: 4, kind: 'pay', key: 'd', postings: { 'own:reserved': -3, 'own:spent': 3 } },
  {
    at: 5,
    kind: 'bonus',
    key: 'e',
    postings: { 'own:available': 5, 'issue:bonus': -5, 'score:earned': 5, 'score:issued': -5 },
  },
  { at: 6, kind: 'earn', key: 'f', postings: {} },
];

const LISTED = [
  { seq: 1, at: 1, kind: 'allowance', amount: 20, points: 0, spent: 0 },
  { seq: 3, at: 3, kind: 'reserve', amount: -3, points: 0, spent: 0 },
  { seq: 4, at: 4, kind: 'pay', amount: 0, points: 0, spent: 3 },
  { seq: 5, at: 5, kind: 'bonus', amount: 5, points: 5, spent: 0 },
  { seq: 6, at: 6, kind: 'earn', amount: 0, points: 0, spent: 0 },
];

async function append(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const entry of ENTRIES) await appendEntry(trx, entry);
  });
}

const listed = (db: Db) => db.selectFrom('own_entries').selectAll().orderBy('seq').execute();

describe('the list of own entries', () => {
  it('follows the ledger as it grows', async () => {
    const db = await openDatabase(path);
    await append(db);
    expect(await listed(db)).toEqual(LISTED);
    await db.destroy();
  });

  it('is made for a ledger that is older than it', async () => {
    const old = new Kysely<Tables>({ dialect: new QuarryDialect(new SQLite(path)) });
    const book = { table: 'kysely_migration', lockTable: 'kysely_migration_lock' };
    const migrations = { '0001-ledger': ledger.migrations['0001-ledger'] ?? [] };
    await migrate(old, { migrations, book, place: path });
    await append(old);
    await old.destroy();
    const db = await openDatabase(path);
    expect(await listed(db)).toEqual(LISTED);
    await db.destroy();
  });

  it('can be told from a wrong one, within a range', async () => {
    const db = await openDatabase(path);
    await append(db);
    await db.updateTable('own_entries').set({ spent: 0 }).where('seq', '=', 4).execute();
    await db.deleteFrom('own_entries').where('seq', '=', 5).execute();
    await db
      .insertInto('own_entries')
      .values({ seq: 2, at: 2, kind: 'allowance', amount: 1, points: 0, spent: 0 })
      .execute();
    expect(await wrongOwnEntries(db, 1, 6)).toEqual([2, 4, 5]);
    expect(await wrongOwnEntries(db, 3, 4)).toEqual([4]);
    await db.destroy();
  });
});
