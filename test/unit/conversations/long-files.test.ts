import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PASSAGE_CHARS } from '../../../src-main/conversations/cut.ts';
import type { EmbeddingModel, LongFiles } from '../../../src-main/conversations/long-files.ts';
import { ConversationStore } from '../../../src-main/store/conversations/conversations.ts';
import { LongFileStore } from '../../../src-main/store/conversations/long-files.ts';
import type { Db } from '../../../src-main/store/database.ts';
import type { Passage, SearchEvent } from '../../../src-preload/contract/conversations.ts';
import { MAX_LONG_FILE_CHARS, MAX_LONG_FILES } from '../../../src-preload/contract/limits.ts';
import { longFilesIn } from '../../support/long-files.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { until } from '../../support/until.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const ROOM = 100_000;

let db: Db;
let files: LongFiles;
beforeEach(async () => {
  db = await memoryDatabase();
  const options = { target: 'local' } as const;
  await new ConversationStore(db).insert({ id: ID, title: '', createdAt: 1, updatedAt: 1, options });
  files = longFilesIn(db);
});
afterEach(async () => {
  await files.close();
  await db.destroy();
});

/** A model for which two texts are near each other that speak of the same animal. */
class AnimalModel implements EmbeddingModel {
  readonly name = 'animals';
  readonly read: string[] = [];
  readonly sha256: string;
  constructor(sha256 = 'a') {
    this.sha256 = sha256;
  }

  async embed(text: string, as: 'question' | 'passage', signal: AbortSignal): Promise<Float32Array> {
    signal.throwIfAborted();
    if (as === 'passage') this.read.push(text);
    return Float32Array.from(['cat', 'dog', 'fish'].map((animal) => Number(text.includes(animal))));
  }
}

async function search(question: string, { from = files, room = ROOM, signal = new AbortController().signal } = {}) {
  const events: SearchEvent[] = [];
  const numbers = (await new LongFileStore(db).of(ID)).map(({ id }) => id);
  const searching = from.search(ID, { files: numbers, question, room }, signal);
  let passages: Passage[] = [];
  for (let next = await searching.next(); ; next = await searching.next()) {
    if (next.done) passages = next.value;
    else events.push(next.value);
    if (next.done) return { events, passages };
  }
}

const PAGES = ['A cat purrs.', 'A dog barks.', 'A fish swims.', 'A horse neighs. Grüße.'].join('\f');

describe('long files without an embedding model', () => {
  it('are searched for the words of a question, whatever their case and accents', async () => {
    await files.add(ID, { name: 'animals.pdf', text: PAGES });
    const { events, passages } = await search('Which one BARKS?');
    expect(passages).toEqual([{ file: 'animals.pdf', page: 2, text: 'A dog barks.' }]);
    expect(events).toEqual([{ type: 'sources', sources: { by: 'words', passages } }]);
    expect((await search('gruße')).passages[0]?.page).toBe(4);
  });

  it('are searched for words of their own passages alone', async () => {
    const one = await files.add(ID, { name: 'animals.pdf', text: PAGES });
    await files.add(ID, { name: 'other.txt', text: `A cat, a cat, and number ${one}.` });
    const searching = files.search(
      ID,
      { files: [one], question: `cat ${one}`, room: ROOM },
      new AbortController().signal,
    );
    const sources = await Array.fromAsync(searching);
    expect(sources).toMatchObject([{ sources: { passages: [{ text: 'A cat purrs.' }] } }]);
  });

  it('give how they begin where no word of the question is in them, or it has none', async () => {
    await files.add(ID, { name: 'animals.pdf', text: PAGES });
    for (const question of ['Zusammenfassung', '???', '"; DROP TABLE passages; --']) {
      expect((await search(question)).passages.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    }
  });

  it('give no more than there is room for, and one passage at least', async () => {
    await files.add(ID, { name: 'animals.pdf', text: PAGES });
    expect((await search('a', { room: 2 * PASSAGE_CHARS })).passages).toHaveLength(2);
    expect((await search('a', { room: 0 })).passages).toHaveLength(1);
  });

  it('come in pieces, and are one text', async () => {
    const long = await files.add(ID, { name: 'a.txt', text: 'The answer is forty' });
    expect(await files.add(ID, { name: 'a.txt', text: '-two.', to: long })).toBe(long);
    expect((await search('answer')).passages).toEqual([
      { file: 'a.txt', page: null, text: 'The answer is forty-two.' },
    ]);
    expect(await files.kept(ID, [long])).toEqual([{ name: 'a.txt', chars: 24, long }]);
  });

  it('are held to their limits', async () => {
    const long = await files.add(ID, { name: 'a.txt', text: 'x'.repeat(MAX_LONG_FILE_CHARS) });
    await expect(files.add(ID, { name: 'a.txt', text: 'x', to: long })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(files.add(ID, { name: 'a.txt', text: 'x', to: 99 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(files.kept(ID, [99])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    for (let file = 1; file < MAX_LONG_FILES; file++) await files.add(ID, { name: 'a.txt', text: 'x' });
    await expect(files.add(ID, { name: 'a.txt', text: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('go with their conversation', async () => {
    await files.add(ID, { name: 'animals.pdf', text: PAGES });
    await search('cat');
    await new ConversationStore(db).remove(ID);
    files.dropGone();
    await until(async () => expect(await db.selectFrom('passages').selectAll().execute()).toEqual([]));
  });

  it('are dropped at the next start if their question was never asked', async () => {
    const asked = await files.add(ID, { name: 'asked.txt', text: 'a' });
    await files.add(ID, { name: 'not.txt', text: 'b' });
    const turn = { role: 'user', text: 'q', at: 1, answer: null } as const;
    await new ConversationStore(db).advance(ID, {
      at: 1,
      title: '',
      added: [{ ...turn, files: await files.kept(ID, [asked]) }],
    });
    await files.open();
    expect((await new LongFileStore(db).of(ID)).map(({ name }) => name)).toEqual(['asked.txt']);
    const more = files.add(ID, { name: 'asked.txt', text: 'more', to: asked });
    await expect(more).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('long files with an embedding model', () => {
  it('are searched by meaning; passages are read once', async () => {
    const model = new AnimalModel();
    const meant = longFilesIn(db, model);
    await meant.add(ID, { name: 'animals.pdf', text: PAGES });
    const { events, passages } = await search('Does a fish bark?', { from: meant });
    expect(passages[0]).toEqual({ file: 'animals.pdf', page: 3, text: 'A fish swims.' });
    expect(events).toMatchObject([
      { type: 'filing', done: 0, total: 4 },
      { type: 'sources', sources: { by: 'meaning' } },
    ]);
    expect((await search('Where is the cat?', { from: meant })).passages[0]?.page).toBe(1);
    expect(model.read).toHaveLength(4);
  });

  it('are read again where another model takes the place of the one before', async () => {
    await longFilesIn(db, new AnimalModel('a')).add(ID, { name: 'animals.pdf', text: PAGES });
    await search('cat', { from: longFilesIn(db, new AnimalModel('a')) });
    const other = new AnimalModel('b');
    await search('cat', { from: longFilesIn(db, other) });
    expect(other.read).toHaveLength(4);
  });

  it('go on where they were left', async () => {
    const text = Array.from({ length: 50 }, (_, at) => `Page ${at} has a cat.`).join('\f');
    const model = new AnimalModel();
    const meant = longFilesIn(db, model);
    await meant.add(ID, { name: 'cats.pdf', text });
    const leaving = new AbortController();
    const searching = meant.search(ID, { files: [1], question: 'cat', room: ROOM }, leaving.signal);
    await searching.next();
    expect((await searching.next()).value).toEqual({ type: 'filing', done: 16, total: 50 });
    leaving.abort();
    await expect(searching.next()).rejects.toThrow();
    await search('cat', { from: meant });
    expect(model.read).toHaveLength(50);
  });

  it('are searched by words where the model cannot be used', async () => {
    const broken: EmbeddingModel = { name: 'b', sha256: 'b', embed: () => Promise.reject(new Error('no memory')) };
    await files.add(ID, { name: 'animals.pdf', text: PAGES });
    const { events } = await search('barks', { from: longFilesIn(db, broken) });
    expect(events).toMatchObject([{ type: 'sources', sources: { by: 'words', passages: [{ page: 2 }] } }]);
  });
});
