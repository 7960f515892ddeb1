import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClipJobStore } from '../../../../src-main/store/clips/clip-jobs.ts';
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
