import { type CompiledQuery, Kysely, type LogEvent } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { type CompletionRow, CompletionStore } from '../../../../src-main/store/learning/learning-completions.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import type { FeedbackState } from '../../../../src-preload/contract/learning.ts';
import { completionRow, feedbackRow } from '../../../support/kept-answers.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

let db: Db;
let store: CompletionStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new CompletionStore(db);
});
afterEach(() => db.destroy());

const put = async (...rows: Partial<CompletionRow>[]) => {
  for (const row of rows) await store.put(completionRow(row));
};
const ids = async () =>
  (await db.selectFrom('learning_completions').select('id').orderBy('at').execute()).map(({ id }) => id);
const say = (completion: string, state: FeedbackState = 'waiting') =>
  db
    .insertInto('learning_feedback')
    .values(feedbackRow({ completion, state, key: `${completion} ${state}` }))
    .execute();

it('an answer comes back as it was kept, by its id, and the newest by what people see of it', async () => {
  await put(
    { id: 'a', at: 1, text_hash: '1'.repeat(64) },
    { id: 'b', at: 3, text_hash: '1'.repeat(64) },
    { id: 'c', at: 2 },
  );
  const { tokens, logprobs, ...row } = completionRow({ id: 'a', at: 1, text_hash: '1'.repeat(64) });
  const [bytes, floats] = [Buffer.from(tokens), Buffer.from(logprobs)];
  expect(await store.find('a')).toEqual({ ...row, tokens: bytes, logprobs: floats });
  expect((await store.findByText('1'.repeat(64)))?.id).toBe('b');
  expect(await store.find('d')).toBeUndefined();
  expect(await store.findByText('2'.repeat(64))).toBeUndefined();
});

it('what was asked last of a model is found however much others were asked since', async () => {
  const own = { base: 'c'.repeat(64), door: 'playground' } as const;
  await put({ id: 'a', at: 1, ...own }, { id: 'b', at: 2, ...own });
  await put(
    ...Array.from({ length: 60 }, (_, at) => ({ ...own, id: `other ${at}`, at: 10 + at, base: 'd'.repeat(64) })),
  );
  expect((await store.lastAsked(own.base, 50)).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(await store.lastAsked(own.base, 1)).toEqual([{ id: 'b', input: completionRow().input }]);
});

it('what programs asked, and what private conversations did, is not among what was asked last', async () => {
  await put(...(['playground', 'api', 'playground'] as const).map((door, at) => ({ id: `a${at}`, at, door })));
  await say('a2', 'learnt'); // so that it stays, and is only no longer learnt from
  await store.makePrivate(['a2']);
  expect(await ids()).toEqual(['a0', 'a1', 'a2']);
  expect((await store.lastAsked(completionRow().base, 50)).map(({ id }) => id)).toEqual(['a0']);
});

it('one with the same id takes the place of the other', async () => {
  await put({ id: 'a', text: 'One.' }, { id: 'a', text: 'Two.' });
  expect(await store.find('a')).toMatchObject({ text: 'Two.' });
  expect(await store.sum()).toMatchObject({ count: 1 });
});

it('adds up', async () => {
  expect(await store.sum()).toEqual({ count: 0, bytes: 0, oldest: null });
  expect(await store.freeBytes()).toBe(0);
  await put({ id: 'a', at: 5, bytes: 100 }, { id: 'b', at: 6, bytes: 20 }, { id: 'c', at: 7, bytes: 3 });
  await say('b');
  await say('b', 'learnt');
  await say('c', 'withdrawn');
  expect(await store.sum()).toEqual({ count: 3, bytes: 123, oldest: 5 });
  expect(await store.freeBytes()).toBe(103);
});

it('forgets the oldest first, and nothing that feedback refers to, unless that was taken back', async () => {
  await put({ id: 'a', at: 1 }, { id: 'b', at: 2 }, { id: 'c', at: 3 }, { id: 'd', at: 4 });
  await say('a', 'learnt');
  await say('b', 'withdrawn');
  expect(await store.forgetOldest({ before: 3 })).toMatchObject({ count: 1 });
  expect(await ids()).toEqual(['a', 'c', 'd']);
  expect(await db.selectFrom('learning_feedback').select('completion').execute()).toEqual([{ completion: 'a' }]);
  expect(await store.forgetOldest()).toMatchObject({ count: 2 });
  expect(await store.forgetOldest()).toEqual({ count: 0, bytes: 0 });
  expect(await ids()).toEqual(['a']);
});

/** More than are looked at in one go; some at the same moment, so that a page may end between them. */
const many = () => put(...Array.from({ length: 450 }, (_, at) => ({ id: `c${at}`, at: at >> 2, bytes: 10 })));

it('forgets no more than is asked for in bytes, and not all at once', async () => {
  await many();
  expect(await store.forgetOldest({ bytes: 25 })).toEqual({ count: 3, bytes: 30 });
  const stop = new AbortController();
  const stopped = store.forgetOldest({ signal: stop.signal });
  stop.abort();
  expect(await stopped).toEqual({ count: 200, bytes: 2_000 });
  expect((await ids()).length).toBe(247);
  expect(await store.forgetOldest({ bytes: 2_100 })).toEqual({ count: 210, bytes: 2_100 });
});

it('forgets behind what feedback holds, however much that is, and looks at it once', async () => {
  await many();
  for (let at = 0; at < 444; at++) await say(`c${at}`, 'learnt');
  const pages = vi.spyOn(db, 'transaction');
  expect(await store.forgetOldest({ bytes: 40 })).toEqual({ count: 4, bytes: 40 });
  expect(pages).toHaveBeenCalledTimes(3);
  expect(await store.freeBytes()).toBe(20);
  expect(await ids()).not.toContain('c447');
  expect(await ids()).toContain('c448');
});

it('forgets of some doors only', async () => {
  await put({ id: 'a', at: 1 }, { id: 'b', at: 2, door: 'terminal' }, { id: 'c', at: 3, door: 'playground' });
  expect(await store.forgetOldest({ doors: ['terminal', 'playground'] })).toMatchObject({ count: 2 });
  expect(await ids()).toEqual(['a']);
});

it('forgets those that are named, but for what feedback refers to', async () => {
  await put({ id: 'a' }, { id: 'b' }, { id: 'c' });
  await say('b');
  await store.forget(['a', 'b', 'never']);
  await store.forget([]);
  expect(new Set(await ids())).toEqual(new Set(['b', 'c']));
});

it('private answers are looked up one by one, however much was said of others', async () => {
  const asked = new Map<string, CompiledQuery>();
  const dialect = new QuarryDialect(openSqlite(':memory:'));
  const log = ({ query }: LogEvent) => void asked.set(query.sql, query);
  const watched = new Kysely<Tables>({ dialect, log });
  await migrate(watched, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  const completions = new CompletionStore(watched);
  await completions.put(completionRow());
  asked.clear();
  await completions.makePrivate([completionRow().id]);
  const plans: string[] = [];
  for (const query of [...asked.values()].filter(({ sql: text }) => /^(?:select|update)/.test(text))) {
    const explained = { ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` };
    const { rows } = await watched.executeQuery<{ detail: string }>(explained);
    plans.push(...rows.map(({ detail }) => detail));
  }
  const through = /SCAN learning_feedback|learning_feedback_by_state \(state=\?\)/;
  expect(plans.filter((detail) => through.test(detail))).toEqual([]);
  await watched.destroy();
});
