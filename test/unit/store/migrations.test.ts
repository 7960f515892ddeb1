import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCreditBook } from '../../../src-main/credits/ledger/credit-book.ts';
import { verify } from '../../../src-main/mesh/transport/identity.ts';
import { type Db, migrations, openDatabase } from '../../../src-main/store/database.ts';
import { inOrder, type Migrations, migrate } from '../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../src-main/store/sqlite.ts';
import { testIdentity } from '../../support/credit-nodes.ts';
import { OWNER } from '../../support/full-database.ts';

/**
 * Every migration that has shipped, a file each. Databases out there have run them: none is edited, renamed or taken out
 * ever again. A new one gets its file when it ships.
 */
const SHIPPED = new URL('../../fixtures/migrations/', import.meta.url);

/**
 * Credits in the newest of them: the bank had 9, 3 went by its voucher, 1 came by a part of an answer (of another, which was under way, nothing had come);
 * the client had 3, 2 went and 3 came by vouchers; the debtor should owe 12, 4 went by vouchers, and it says that the rest is 7.
 */
const CLAIMS = { bank: 7, client: 4, debtor: 7 };
const STORED = new URL('../../fixtures/databases/', import.meta.url);

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-migrations-'));
  path = join(dir, 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const fileOf = (statements: readonly string[]) => statements.map((statement) => `${statement};\n`).join('');

describe('migrations', () => {
  it('that have shipped stay as they are', async () => {
    const files = await readdir(SHIPPED);
    const shipped = await Promise.all(files.map((file) => readFile(new URL(file, SHIPPED), 'utf8')));
    const found = Object.entries(migrations).map(([name, statements]) => [`${name}.sql`, fileOf(statements)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(files.map((file, at) => [file, shipped[at]])));
  });

  const group = (...names: string[]) => ({ migrations: Object.fromEntries(names.map((name) => [name, []])) });

  it('of all groups count on together', () => {
    const groups = [group('0001-a', '0100-b', '0502-e'), group('0040-c'), group('0501-d')];
    expect(Object.keys(inOrder(groups, 500))).toEqual(['0001-a', '0040-c', '0100-b', '0501-d', '0502-e']);
    expect(Object.keys(inOrder([group('0001-a'), group('0002-b')]))).toEqual(['0001-a', '0002-b']);
  });

  it.each([
    ['with one number twice', [group('0001-a'), group('0001-b')], 0],
    ['with an old number twice', [group('0100-a'), group('0100-b')], 500],
    ['with a gap', [group('0001-a'), group('0003-b')], 0],
    ['with a gap after the old ones', [group('0100-a'), group('0502-b')], 500],
    ['that do not begin with the first number', [group('0002-a')], 0],
    ['with the name of another twice', [group('0001-a'), group('0001-a')], 0],
    ['without a number', [group('ledger')], 0],
    ['with a short number', [group('1-ledger')], 0],
  ])('%s are refused', (_what, groups, last) => {
    expect(() => inOrder(groups, last)).toThrow(/does not follow/);
  });

  it('that fail leave nothing behind, and can be tried again', async () => {
    const bad = { '0001-a': ['CREATE TABLE a (x TEXT)', 'CREATE TABLE a (x TEXT)'] };
    await expect(run(bad)).rejects.toThrow(/already exists/);
    await run({ '0001-a': ['CREATE TABLE a (x TEXT)'] });
    expect(schemaOf(path)).toContainEqual(expect.objectContaining({ name: 'a' }));
  });

  async function run(some: Migrations): Promise<void> {
    const db = new Kysely<object>({ dialect: new QuarryDialect(openSqlite(path)) });
    try {
      await migrate(db, { migrations: some, book: { table: 'done', lockTable: 'done_lock' }, place: path });
    } finally {
      await db.destroy();
    }
  }
});

describe.each(await readdir(STORED))('the stored database %s', (file) => {
  beforeEach(async () => writeFile(path, gunzipSync(await readFile(new URL(file, STORED)))));

  it('has rows in every table', () => {
    for (const [table, rows] of rowsOf(path)) expect(rows.length, table).toBeGreaterThan(0);
  });

  it('keeps every row when it is opened today, however often', async () => {
    const before = rowsOf(path);
    for (let times = 0; times < 2; times++) await (await openDatabase(path)).destroy();
    const after = new Map(rowsOf(path));
    for (const [table, rows] of before) {
      const own = table === 'kysely_migration' ? rows.length : undefined; // newer migrations come after its own
      expect(after.get(table)?.slice(0, own), table).toMatchObject(rows);
    }
  });

  it('comes to have the very tables of a new one', async () => {
    await (await openDatabase(path)).destroy();
    const fresh = join(dir, 'fresh.db');
    await (await openDatabase(fresh)).destroy();
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
  });

  it('has a ledger that is proven, and can be carried on', async () => {
    const receipts = new Map(rowsOf(path)).get('receipts')?.length;
    const db = await openDatabase(path);
    const identity = testIdentity(OWNER);
    const book = await openCreditBook({ db, identity, verify, log: pino({ level: 'silent' }) });
    const reserved = {
      requestId: 'f'.repeat(32),
      client: testIdentity(2).id,
      host: '127.0.0.1',
      maxTokens: 64,
      vouchers: [],
    };
    await book.worker.fund(reserved);
    const sound = { ok: true, problems: [], receipts, openReservations: 0 };
    // From what was proven when it was stored, where that is kept, and from the beginning.
    for (const full of [false, true]) expect(await book.verify({ full })).toMatchObject(sound);
    await book.close();
    await db.destroy();
  });

  it('is refused by an older Quarry than it was used by, which changes nothing', async () => {
    const newer = await openDatabase(path);
    await remember(newer, '0999-wonders');
    await newer.destroy();
    const before = [rowsOf(path), schemaOf(path)];
    await expect(openDatabase(path)).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      message: expect.stringMatching(/quarry\.db was last used by a newer Quarry.*0999-wonders/),
      hint: expect.stringMatching(/^Update Quarry/),
    });
    expect([rowsOf(path), schemaOf(path)]).toEqual(before);
  });
});

it('the stored database of the claims was proven up to a checkpoint, which is believed today', async () => {
  await writeFile(path, gunzipSync(await readFile(new URL('0506-claims.db.gz', STORED))));
  const db = await openDatabase(path);
  const log = pino({ level: 'silent' });
  const book = await openCreditBook({ db, identity: testIdentity(OWNER), verify, log });
  expect(await book.verify()).toMatchObject({ ok: true, provenBefore: expect.any(Number) });
  const owed = (number: number) => book.worker.terms(testIdentity(number).id, '127.0.0.1').owed;
  expect({ bank: owed(6), client: owed(8), debtor: book.client.owedBy(testIdentity(5).id) }).toEqual(CLAIMS);
  await book.close();
  await db.destroy();
});

describe('vouchers of before they had a table', () => {
  beforeEach(async () => writeFile(path, gunzipSync(await readFile(new URL('0506-claims.db.gz', STORED)))));

  it('are taken out of the memos', async () => {
    const memos = read(path, (sqlite) =>
      sqlite.prepare(`SELECT seq, memo FROM ledger_entries WHERE memo GLOB '{*'`).all(),
    ) as { seq: number; memo: string }[];
    await (await openDatabase(path)).destroy();
    const said = memos.map(({ seq, memo }) => {
      const { body, sig } = JSON.parse(memo);
      return { entry: seq, ...body, sig };
    });
    expect(said).toHaveLength(3);
    expect(new Map(rowsOf(path)).get('vouchers')).toEqual(said);
  });

  it.each(['because', '{}', '[]', '{"body":{"credits":"many"}}'])(
    'keep nobody from opening who has %s there, and a proof says so',
    async (memo) => {
      const sqlite = new SQLite(path);
      sqlite.exec('DROP TRIGGER ledger_entries_no_update');
      sqlite.prepare(`UPDATE ledger_entries SET memo = ? WHERE key GLOB 'taken:*'`).run(memo);
      sqlite.close();
      const db = await openDatabase(path);
      const log = pino({ level: 'silent' });
      const book = await openCreditBook({ db, identity: testIdentity(OWNER), verify, log });
      expect((await book.verify({ full: true })).problems.join('\n')).toMatch(/nothing to show .* \(standing\)/);
      await book.close();
      await db.destroy();
    },
  );
});

async function remember(db: Db, name: string): Promise<void> {
  await sql`INSERT INTO kysely_migration VALUES (${name}, ${new Date().toISOString()})`.execute(db);
}

function read<T>(file: string, work: (sqlite: SQLite.Database) => T): T {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

const schemaOf = (file: string) =>
  read(file, (sqlite) =>
    sqlite.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all(),
  );

function rowsOf(file: string): [table: string, rows: unknown[]][] {
  return read(file, (sqlite) => {
    const names = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[];
    return names.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()]);
  });
}
