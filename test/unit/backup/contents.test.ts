import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { booksOf, type Copies, copyDatabases, plaintext, unpack } from '../../../src-main/backup/contents.ts';
import { loadOrCreateIdentity } from '../../../src-main/mesh/transport/identity.ts';
import { openDatabase } from '../../../src-main/store/database.ts';
import { WebSessionStore } from '../../../src-main/store/web-sessions.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-contents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SESSION = { hash: 'hash-of-a-login', realm: 'realm', startedAt: 1, usedAt: 1 };
const copy = join(folder, 'copy.db');
let copies: Copies;
let node: string;
let key: Buffer;
let database: Buffer;

beforeAll(async () => {
  node = (await loadOrCreateIdentity(folder)).id;
  const db = await openDatabase(join(folder, 'quarry.db'));
  await new WebSessionStore(db).save([SESSION]);
  copies = copyDatabases(folder, { books: copy, results: join(folder, 'copy-of-results.db') });
  await db.destroy();
  key = readFileSync(join(folder, 'identity.key'));
  database = readFileSync(copy);
});

const KEY = 'identity.key';
const BOOKS = 'quarry.db';
const into = () => join(folder, 'into');
const nothing = () => {};

/** The plaintext that says these files, and then has these bytes. */
function spelt(files: readonly (readonly [string, number])[], ...bytes: Buffer[]): Buffer {
  const listed = files.map(([name, bytes]) => ({ name, bytes }));
  const text = Buffer.from(JSON.stringify({ v: 1, node, receipts: 0, points: 0, files: listed }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...bytes]);
}
const opened = (plain: Buffer) => unpack([plain].values(), into(), node, nothing);
const refusedAs = (kind: string) => expect.objectContaining({ said: { message: { key: `backup.${kind}` } } });

it('a backup holds the files that the list of the data folder names, and gives them back as they were', async () => {
  const { pieces, bytes, close } = plaintext({ dataDir: folder, copies, books: booksOf(copy, node) }, nothing);
  const plain = Buffer.concat([...pieces]);
  close();
  expect(plain.length).toBe(bytes);
  expect(await opened(plain)).toEqual({ node, receipts: 0, points: 0 });
  expect(readFileSync(join(into(), KEY)).equals(key)).toBe(true);
  const db = await openDatabase(join(into(), BOOKS));
  expect(await new WebSessionStore(db).load()).toEqual([]);
  await db.destroy();
});

it('nothing of a login is in the copy, in rows or in pages that are free', () => {
  expect(database.includes(SESSION.hash)).toBe(false);
});

it('what is left out takes no room in the copy either', async () => {
  const pageOf = (file: string, pragma: string) => {
    const database = new SQLite(file, { readonly: true });
    const [row] = database.pragma(pragma) as [Record<string, number>];
    database.close();
    return Object.values(row)[0];
  };
  const data = join(folder, 'many');
  mkdirSync(data);
  const db = await openDatabase(join(data, 'quarry.db'));
  const many = Array.from({ length: 2_000 }, (_, at) => ({ ...SESSION, hash: `${at}`.padEnd(200) }));
  await new WebSessionStore(db).save(many);
  await db.destroy();
  const { books } = copyDatabases(data, { books: join(data, 'copy.db'), results: join(data, 'none.db') });
  expect(pageOf(books, 'freelist_count')).toBe(0);
});

it('in another order it is as good, and a name that nobody knows comes of a later version', async () => {
  const swapped = [
    [BOOKS, database.length],
    [KEY, key.length],
  ] as const;
  expect(await opened(spelt(swapped, database, key))).toMatchObject({ node });
  const later = [...swapped, ['hotkeys.json', 2]] as const;
  await expect(opened(spelt(later, database, key, Buffer.from('{}')))).rejects.toEqual(refusedAs('laterFormat'));
});

it('a file that is to be written elsewhere, or beside what a backup holds, is not written', async () => {
  for (const name of ['../over.txt', '/tmp/over.txt', 'local.token', 'quarry.toml', '']) {
    const files = [[KEY, key.length] as const, [BOOKS, database.length] as const, [name, 1] as const];
    await expect(opened(spelt(files, key, database, Buffer.from('x'))), name).rejects.toEqual(refusedAs('laterFormat'));
    expect(await readdir(into())).toEqual([]);
  }
});

it('is refused when a file is missing, there twice, too short or too long', async () => {
  const [a, b] = [[KEY, key.length] as const, [BOOKS, database.length] as const];
  const bad: [string, Buffer][] = [
    ['no key', spelt([b], database)],
    ['no books', spelt([a], key)],
    ['nothing', spelt([])],
    ['the key twice', spelt([a, a, b], key, key, database)],
    ['a key without end', spelt([[KEY, 5_000], b], Buffer.alloc(5_000, 'x'), database)],
    ['too short', spelt([a, b], key, database.subarray(1))],
    ['more behind it', spelt([a, b], key, database, Buffer.from('x'))],
    ['no list', Buffer.from([2, 0, 0, 0, 123, 125])],
    ['no JSON', Buffer.from([1, 0, 0, 0, 120])],
    ['a list without end', Buffer.from([255, 255, 255, 255])],
  ];
  for (const [what, plain] of bad) await expect(opened(plain), what).rejects.toEqual(refusedAs('damaged'));
});

it('is refused when its key is another one’s', async () => {
  const other = mkdtempSync(join(folder, 'other-'));
  await loadOrCreateIdentity(other);
  const theirs = readFileSync(join(other, KEY));
  const files = [[KEY, theirs.length] as const, [BOOKS, database.length] as const];
  await expect(opened(spelt(files, theirs, database))).rejects.toEqual(refusedAs('damaged'));
});
