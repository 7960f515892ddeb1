import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EmbeddingModel, LongFiles } from '../../../src-main/conversations/long-files.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import { LongFileStore, unreadPassages } from '../../../src-main/store/conversations/long-files.ts';
import type { Db } from '../../../src-main/store/database.ts';
import { longFilesIn } from '../../support/long-files.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { rowsRead } from '../../support/rows-read.ts';
import { turnsOf } from '../../support/turns.ts';
import { until } from '../../support/until.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const PASSAGES = 600;
const PAGES = Array.from({ length: PASSAGES }, (_, page) => `Page ${page}.`).join('\f');

const lengths: EmbeddingModel = { name: 'l', sha256: 'l', embed: async (text) => Float32Array.of(1, text.length) };

let db: Db;
let store: LongFileStore;
let files: LongFiles;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new LongFileStore(db);
  files = longFilesIn(db, lengths);
  const options = { target: 'local' } as const;
  await new ConversationStore(db).insert({ id: ID, title: '', createdAt: 1, updatedAt: 1, options });
  await files.add(ID, { name: 'pages.txt', text: PAGES });
});
afterEach(async () => {
  await files.close();
  await db.destroy();
});

async function search(signal = new AbortController().signal, from = files) {
  for await (const _ of from.search(ID, { files: [1], question: 'page', room: 1 }, signal));
}

const held = async () => (await db.selectFrom('passages').select(['page', 'text']).execute()).map(({ page }) => page);

it('cutting a long file holds nobody up, and goes on where it was left', async () => {
  const leaving = new AbortController();
  setImmediate(() => leaving.abort());
  await expect(search(leaving.signal, longFilesIn(db))).rejects.toThrow();
  const before = (await held()).length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(PASSAGES / 2);
  expect(await turnsOf(() => search(undefined, longFilesIn(db)))).toBeGreaterThanOrEqual((PASSAGES - before) / 50);
  expect(await held()).toEqual(Array.from({ length: PASSAGES }, (_, at) => at + 1));
  expect(await store.text(1)).toBe('');
});

it('reading goes on without a look at what was read before', async () => {
  await search();
  const after = PASSAGES - 10;
  const query = unreadPassages(db, 1, 'another', { after, limit: 16 }).compile();
  expect(await rowsRead(db, query, { file: 1, id: after })).toBe(10);
});

it('comparing a question with many passages holds nobody up', async () => {
  await search();
  expect(await turnsOf(() => search())).toBeGreaterThanOrEqual(PASSAGES / 500);
});

it('a conversation is gone at once, its long files after it bit by bit', async () => {
  await search();
  await new ConversationStore(db).remove(ID);
  expect(await store.of(ID)).toEqual([]);
  expect(await held()).toHaveLength(PASSAGES);
  expect(await store.dropSome(8)).toBe(true);
  expect(await held()).toHaveLength(PASSAGES - 8);
  files.dropGone();
  await until(async () => expect(await db.selectFrom('long_files').select('id').execute()).toEqual([]));
  expect(await held()).toEqual([]);
});

it('what a node that stopped had still to delete is deleted after its next start', async () => {
  await search();
  await new ConversationStore(db).remove(ID);
  files.dropGone();
  await files.close();
  expect((await held()).length).toBeGreaterThan(0);
  files = longFilesIn(db);
  await files.open();
  await until(async () => expect(await held()).toEqual([]));
});
