import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainSqliteError } from '../../../src-main/base/sqlite-error.ts';
import { openDatabase } from '../../../src-main/store/database.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-database-'));
  path = join(dir, 'deep', 'quarry.db');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function pragma(name: string): Promise<unknown> {
  const db = await openDatabase(path);
  const { rows } = await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(db);
  await db.destroy();
  return Object.values(rows[0] ?? {})[0];
}

describe('a database', () => {
  it('is created with its folder, and opened again as it was', async () => {
    const first = await openDatabase(path);
    await sql`CREATE TABLE note (text TEXT)`.execute(first);
    await first.destroy();
    const second = await openDatabase(path);
    expect((await sql`SELECT * FROM note`.execute(second)).rows).toEqual([]);
    await second.destroy();
  });

  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
  ])('has %s set to %s', async (name, value) => expect(await pragma(name)).toBe(value));

  it('gives the disk back what its log took while somebody read for long', async () => {
    const db = await openDatabase(path);
    await sql`CREATE TABLE note (text TEXT)`.execute(db);
    const logged = async () => (await stat(`${path}-wal`)).size;
    const write = () =>
      sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO note SELECT hex(randomblob(500000)) FROM n`.execute(db);
    const reader = new SQLite(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM note').get();
    await write();
    expect(await logged()).toBeGreaterThan(32 * 1024 * 1024);
    reader.close();
    // The first write that begins the log anew after a checkpoint cuts it.
    for (let times = 0; times < 2; times++) await sql`INSERT INTO note VALUES ('short')`.execute(db);
    expect(await logged()).toBeLessThanOrEqual(16 * 1024 * 1024);
    await db.destroy();
  });

  it.skipIf(process.platform === 'win32')('can be read by its owner alone, whatever it was before', async () => {
    const modes = async () => {
      const db = await openDatabase(path);
      await sql`CREATE TABLE IF NOT EXISTS note (text TEXT)`.execute(db);
      const files = ['', '-wal', '-shm'].map((end) => stat(`${path}${end}`));
      const found = (await Promise.all(files)).map(({ mode }) => mode & 0o777);
      await db.destroy();
      return found;
    };
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    await chmod(path, 0o644);
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
  });

  it('that is a device stays what it is for everybody', async ({ skip }) => {
    const device = join(dir, 'null');
    const made = spawnSync('mknod', ['-m', '666', device, 'c', '1', '3']);
    skip(made.status !== 0, 'skipped: this account may not make a device');
    await expect(openDatabase(device)).rejects.toThrow();
    expect((await stat(device)).mode & 0o777).toBe(0o666);
  });

  it('that is not SQLite is called damaged', async () => {
    await (await openDatabase(path)).destroy();
    await writeFile(path, 'these are not the bytes of a database '.repeat(500));
    await expect(openDatabase(path)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT', hint: expect.any(String) });
  });

  it('with flipped bytes is called damaged', async () => {
    await fill(path);
    const bytes = await readFile(path);
    for (let at = 4_096; at < bytes.length; at += 256) bytes[at] = 255 - (bytes[at] ?? 0);
    await writeFile(path, bytes);
    await expect(openDatabase(path)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
  });

  it('that was cut short is called damaged', async () => {
    await fill(path);
    await writeFile(path, (await readFile(path)).subarray(0, 20_000));
    await expect(openDatabase(path)).rejects.toMatchObject({ code: 'DATABASE_CORRUPT' });
  });

  it('whose place is a folder is called badly configured', async () => {
    await expect(openDatabase(dir)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('SQLite’s errors', () => {
  it.each([
    ['SQLITE_FULL', 'DISK_FULL'],
    ['SQLITE_IOERR_WRITE', 'DISK_FULL'],
    ['ENOSPC', 'DISK_FULL'],
    ['SQLITE_CORRUPT_VTAB', 'DATABASE_CORRUPT'],
    ['SQLITE_NOTADB', 'DATABASE_CORRUPT'],
    ['SQLITE_READONLY', 'CONFIG_INVALID'],
  ])('%s becomes %s', (code, expected) => {
    const cause = Object.assign(new Error('raw'), { code });
    expect(explainSqliteError(cause, path)).toMatchObject({ code: expected });
  });

  it('pass unchanged when they say something about our own statement', () => {
    const error = Object.assign(new Error('raw'), { code: 'SQLITE_CONSTRAINT_CHECK' });
    expect(explainSqliteError(error, path)).toBe(error);
  });
});

/** A database of many pages, all of them in the main file. */
async function fill(file: string): Promise<void> {
  await (await openDatabase(file)).destroy();
  const sqlite = new SQLite(file);
  sqlite.exec('CREATE TABLE filler (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = sqlite.prepare('INSERT INTO filler (text) VALUES (?)');
  sqlite.transaction(() => {
    for (let row = 0; row < 2_000; row++) insert.run('x'.repeat(200));
  })();
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}
