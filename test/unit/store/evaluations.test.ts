import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Db, migrations, type Tables } from '../../../src-main/store/database.ts';
import { type EvaluationAnswerRow, EvaluationStore } from '../../../src-main/store/evaluations.ts';
import { migrate } from '../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../src-main/store/sqlite.ts';
import { BAND_ENDS, DEPTH_BANDS } from '../../../src-preload/contract/evaluation-numbers.ts';

let db: Db;
let asked: CompiledQuery[];
let store: EvaluationStore;
beforeEach(async () => {
  asked = [];
  const dialect = new QuarryDialect(openSqlite(':memory:'));
  db = new Kysely<Tables>({ dialect, log: ({ query }: LogEvent) => void asked.push(query) });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  store = new EvaluationStore(db);
  await store.add({
    ...{ id: 'one', created_at: 1, ended_at: null, state: 'paused', plan: '{}', model: null, sha256: null },
    ...{ texts: 1, done: 0, seconds: 0, error: null },
  });
});
afterEach(() => db.destroy());

let text = 0;
const answered = (changes: Partial<EvaluationAnswerRow>) =>
  store.answered({
    ...{ evaluation: 'one', text: text++, question: 0, suite: 'needle', variant: 'fact', length: 1_000, words: 700 },
    ...{ depth: 0.5, answer: '7', error: null, score: 1, prompt_tokens: 1_000, cached_tokens: 200, answer_tokens: 3 },
    ...{ first_ms: 100, total_ms: 300, at: 1, ...changes },
  });

it('sums answers up by kind, length and the band of their depth; one that did not come counts as asked', async () => {
  await answered({});
  await answered({ depth: 0.6, score: 0.5, first_ms: 300, cached_tokens: null });
  const none = { answer: null, prompt_tokens: null, cached_tokens: null, first_ms: null, total_ms: null };
  await answered({ ...none, error: '{}', score: 0, depth: null });
  await answered({ length: 2_000, depth: 0 });
  const cells = await store.cells('one');
  expect(cells).toHaveLength(3);
  expect(cells.find(({ band }) => band === 'middle')).toEqual({
    ...{ suite: 'needle', variant: 'fact', length: 1_000, band: 'middle', asked: 2, answered: 2, score: 1.5 },
    ...{ depth: 0.55, firstMs: 200, totalMs: 300, promptTokens: 1_800, promptMs: 400 },
  });
  expect(cells.find(({ band }) => band === null)).toMatchObject({ asked: 1, answered: 0, score: 0, firstMs: null });
  expect(cells.find(({ length }) => length === 2_000)).toMatchObject({ band: 'beginning', asked: 1 });
});

it('reads for that nothing but one index, in its order, which has the bands as they are', async () => {
  for (const band of DEPTH_BANDS) await answered({ depth: BAND_ENDS[band] - 0.01 });
  asked.length = 0;
  const cells = await store.cells('one');
  expect(cells.map(({ band }) => band).toSorted()).toEqual(DEPTH_BANDS.toSorted());
  const [query] = asked;
  if (!query) throw new Error('Nothing was asked.');
  const plan = await db.executeQuery<{ detail: string }>({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` });
  expect(plan.rows.map(({ detail }) => detail)).toEqual([
    'SEARCH evaluation_answers USING COVERING INDEX evaluation_cells (evaluation=?)',
  ]);
  for (const band of DEPTH_BANDS) expect(await store.answers('one', 9, undefined, { band })).toHaveLength(1);
  await sql`DELETE FROM evaluations`.execute(db);
  expect(await store.cells('one')).toEqual([]);
});
