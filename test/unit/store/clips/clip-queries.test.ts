import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClipJobStore } from '../../../../src-main/store/clips/clip-jobs.ts';
import { ClipSubmissionStore } from '../../../../src-main/store/clips/clip-submissions.ts';
import { ClipStore } from '../../../../src-main/store/clips/clips.ts';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';

const asked = new Map<string, CompiledQuery>();
let db: Db;
beforeEach(async () => {
  const log = ({ query }: LogEvent) => void asked.set(query.sql, query);
  db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')), log });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  asked.clear();
});
afterEach(() => db.destroy());

/** Everything that mining and the library ask. */
async function work(): Promise<void> {
  const [jobs, clips] = [new ClipJobStore(db), new ClipStore(db)];
  await jobs.known('commons', ['a', 'b']);
  await jobs.next(1, { isOrdered: true });
  await jobs.nextDueAt({ isOrdered: true });
  await jobs.page({ limit: 9 });
  await jobs.page({ limit: 9, state: 'failed', before: 9 });
  await jobs.retry(undefined, 1);
  await jobs.retry(1, 1);
  await jobs.fetched(1);
  await jobs.sums();
  await jobs.set(1, { bytes: 0 });
  await clips.get('a');
  await clips.several(['a', 'b'], { licence: 'by' });
  await clips.several(['a', 'b'], { licence: 'by', match: '"a"*' });
  for (const filter of [{}, { source: 'commons' }, { licence: 'by' }, { describedBy: 'user' }, { topic: 'a' }] as const)
    await clips.page(filter, 9, 9);
  await clips.page({ isTakenDown: true }, 9, 9);
  await clips.page({ match: '"a"*' }, 9, 9);
  await clips.page({ match: '"a"*', licence: 'by' }, 9, 9);
  await clips.page({ source: 'commons', licence: 'by' }, undefined, 9);
  await clips.vectors('a', 's');
  await clips.vectorPage('s', 'seen', 'a', 9);
  await clips.describe('a', { description: 'b', by: 'user', space: null, vectors: {} });
  await clips.setTakenDown({ source: 'commons', id: 'a' }, true);
  await clips.setScore('a', '{}');
  await clips.remove({ number: 1, clip: 'a', container: 'mp4' });
  await clips.sums();
}

/** Read from their end until there is enough: without a filter, or with one that nearly every clip passes. */
const FROM_THE_END = /from "clips" (where "?clips"?\."?number"? < \? )?order by clips\.number desc limit \?$/i;

it('nothing reads all clips, or all videos, however many there are', async () => {
  await work();
  expect(asked.size).toBeGreaterThan(20);
  const scans: string[] = [];
  for (const { sql: text, parameters } of asked.values()) {
    if (!/^\s*(select|insert|update|delete)/i.test(text)) continue;
    const explained = { ...sql`SELECT 1`.compile(db), sql: `EXPLAIN QUERY PLAN ${text}`, parameters };
    const { rows } = await db.executeQuery<{ detail: string }>(explained);
    for (const { detail } of rows)
      if (
        /^SCAN (clips|clip_jobs|clip_vectors)\b(?! USING INDEX clip_jobs_fetched)/.test(detail) &&
        !FROM_THE_END.test(text) &&
        !/clip_jobs" order by "number" desc limit/.test(text)
      )
        scans.push(`${detail}: ${text}`);
      else if (/USE TEMP B-TREE/.test(detail) && !/"state" in/.test(text)) scans.push(`${detail}: ${text}`);
  }
  expect(scans).toEqual([]);
});

it('nothing reads all submissions, but the page of miners those that were handed in here', async () => {
  const store = new ClipSubmissionStore(db);
  await store.lastChecks(50);
  await store.lastChecks(50, { of: 'm' });
  await store.lastOfOthers('m');
  await store.list({ rows: 9 });
  await store.list({ role: 'sent', before: 9, rows: 9 });
  await store.miners();
  await store.vectors({ space: 's', kind: 'videos', after: null, rows: 9 });
  await store.vectorsOf('k');
  await store.handedIn('a', ['b']);
  await store.trim();
  expect(asked.size).toBeGreaterThan(8);
  const plans: string[] = [];
  for (const { sql: text, parameters } of [...asked.values()]) {
    const explained = { ...sql`SELECT 1`.compile(db), sql: `EXPLAIN QUERY PLAN ${text}`, parameters };
    plans.push(...(await db.executeQuery<{ detail: string }>(explained)).rows.map(({ detail }) => detail));
  }
  // The last looks are read from the end; and now and then it is counted how many rows there are.
  const scans = plans.filter((detail) => /^SCAN (?!.* USING (COVERING )?INDEX (clip|sqlite_autoindex))/.test(detail));
  expect(scans).toEqual(['SCAN clip_looks', 'SCAN clips_handed_in']);
});

/** How the last question that has these words in it is answered. */
async function planOf(words: RegExp): Promise<string> {
  const last = [...asked.values()].findLast(({ sql: text }) => words.test(text));
  if (!last) throw new Error('nobody asked that');
  const explained = { ...last, sql: `EXPLAIN QUERY PLAN ${last.sql}` };
  const { rows } = await db.executeQuery<{ detail: string }>(explained);
  return rows.map(({ detail }) => detail).join('\n');
}

it('who looks for words and more reads what else is wanted of indexes, and no row of a clip that has it not', async () => {
  const clips = new ClipStore(db);
  await clips.page({ match: '"a"*', licence: 'by', source: 'commons' }, 9, 9);
  const plan = await planOf(/MATCH/);
  expect(plan).toMatch(/USING COVERING INDEX clips_by_licence/);
  expect(plan).toMatch(/USING COVERING INDEX clips_by_source/);
  expect(plan).toMatch(/SCAN clip_texts VIRTUAL TABLE/);
});

it('some clips are looked for by their ids, whatever else is wanted of them', async () => {
  await new ClipStore(db).several(['a', 'b'], { source: 'commons' });
  expect(await planOf(/"clips"."clip" in/)).toMatch(/USING INDEX sqlite_autoindex_clips_1/);
});

it('finds what was there before beginnings of words were listed', async () => {
  const before = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')) });
  const book = { table: 'done', lockTable: 'done_lock' };
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0568'));
  await migrate(before, { migrations: older, book, place: 'memory' });
  const about = {
    topic: 't',
    licence: 'by',
    attribution: 'x',
    sha256: '0',
    container: 'webm',
    source: 'commons',
  } as const;
  const figures = { from_s: 0, to_s: 9, has_sound: 0, bytes: 1, poster_bytes: 1, width: 1, height: 1, created_at: 1 };
  const texts = { clip: 'c', video: 'v', title: 'An owl', description: 'at night', described_by: 'user' } as const;
  await before
    .insertInto('clips')
    .values({ ...about, ...figures, ...texts, is_taken_down: 0 })
    .execute();
  await migrate(before, { migrations, book, place: 'memory' });
  const clips = new ClipStore(before);
  for (const match of ['"ow"*', '"nig"*', '"night"*'])
    expect(await clips.page({ match, licence: 'by' }, undefined, 9)).toMatchObject([{ clip: 'c' }]);
  expect(await clips.page({ match: '"ow"*', licence: 'byNc' }, undefined, 9)).toEqual([]);
  await clips.describe('c', { description: 'by day', by: 'user', space: null, vectors: {} });
  expect(await clips.page({ match: '"nig"*' }, undefined, 9)).toEqual([]);
  expect(await clips.page({ match: '"da"*' }, undefined, 9)).toMatchObject([{ clip: 'c' }]);
  await before.destroy();
});
