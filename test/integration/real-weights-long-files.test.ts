import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddingEngine } from '../../src-main/app/engine/embedding-engine.ts';
import { LongFiles } from '../../src-main/conversations/long-files.ts';
import { ModelLibrary } from '../../src-main/models/library/library.ts';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { LongFileStore } from '../../src-main/store/conversations/long-files.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import type { Passage, SearchEvent } from '../../src-preload/contract/conversations.ts';
import { MAX_FILE_PIECE_CHARS } from '../../src-preload/contract/limits.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { findRealModel, MINILM } from '../support/real-models.ts';
import { until } from '../support/until.ts';

const modelPath = await findRealModel(MINILM);

const ID = '00000000-0000-4000-8000-000000000000';
const PAGES = 40;
const NEEDLE = 'The spare key of the observatory hangs behind the barometer in the hallway.';
const NEEDLE_PAGE = 23;

/** Pages of a report on many villages, of one passage each, and one sentence that is about something else. */
function report(): string {
  const about = [
    'The harvest of',
    'A new bridge was built in',
    'The school of',
    'Every second year the market of',
    'In',
  ];
  const told = [
    'was better than the year before.',
    'cost more than was planned.',
    'has forty pupils.',
    'it rained a lot.',
  ];
  const pages = Array.from({ length: PAGES }, (_, page) => {
    const sentences = Array.from(
      { length: 4 },
      (_, at) => `${about[(page + at) % about.length]} village ${page * 7 + at} ${told[(page * 3 + at) % told.length]}`,
    );
    if (page + 1 === NEEDLE_PAGE) sentences.splice(2, 0, NEEDLE);
    return sentences.join(' ');
  });
  return pages.join('\f');
}

let folder: { path: string; remove: () => Promise<void> };
let db: Db;
let library: ModelLibrary;
let embedding: EmbeddingEngine;
let files: LongFiles;

beforeAll(async () => {
  if (!modelPath) return;
  folder = await temporaryFolder();
  db = await openDatabase(join(folder.path, 'quarry.db'));
  const options = { target: 'local' } as const;
  await new ConversationStore(db).insert({ id: ID, title: '', createdAt: 1, updatedAt: 1, options });
  library = new ModelLibrary({ folder: join(folder.path, 'models'), tinyPath: TINY_MODEL, now: Date.now });
  await library.open();
  const log = pino({ level: 'silent' });
  embedding = new EmbeddingEngine({ library, threads: 1, idleMs: 300, log });
  files = new LongFiles({ store: new LongFileStore(db), embedding, log });
});

afterAll(async () => {
  if (!modelPath) return;
  await embedding.close();
  await library.close();
  await db.destroy();
  await folder.remove();
});

async function search(question: string) {
  const events: SearchEvent[] = [];
  let passages: Passage[] = [];
  const searching = files.search(ID, { files: [1], question, room: 10_000 }, new AbortController().signal);
  for (let next = await searching.next(); ; next = await searching.next()) {
    if (next.done) passages = next.value;
    else events.push(next.value);
    if (next.done) return { events, passages };
  }
}

describe.skipIf(!modelPath)('a text of forty pages', () => {
  it('is kept piece by piece, and no model is needed for that', async () => {
    const text = report();
    let long: number | undefined;
    for (let at = 0; at < text.length; at += MAX_FILE_PIECE_CHARS) {
      long = await files.add(ID, { name: 'report.pdf', text: text.slice(at, at + MAX_FILE_PIECE_CHARS), to: long });
    }
    expect(await files.kept(ID, [1])).toEqual([{ name: 'report.pdf', chars: text.length, long: 1 }]);
    expect(await files.searcher()).toBeUndefined();
  });

  it('shows a needle to a question that shares no word with it, once an embedding model is there', async () => {
    if (modelPath) await library.import(modelPath, 'minilm');
    expect(await files.searcher()).toBe('minilm');
    const { events, passages } = await search('How can I unlock the building with the telescope?');
    expect(passages[0]).toMatchObject({ file: 'report.pdf', page: NEEDLE_PAGE });
    expect(passages[0]?.text).toContain(NEEDLE);
    expect(events[0]).toMatchObject({ type: 'filing', done: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'sources', sources: { by: 'meaning' } });
  });

  it('is not read again, and its model is ended after a while in which nobody asked', async () => {
    const { events } = await search('Where is the key?');
    expect(events.map(({ type }) => type)).toEqual(['sources']);
    await until(() => expect(embedding.pid).toBeUndefined());
    expect((await search('Where is the key?')).passages[0]?.page).toBe(NEEDLE_PAGE);
  });
});
