import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
const answer = (changes: Partial<EvaluationAnswerRow>): EvaluationAnswerRow => ({
  ...{ evaluation: 'one', text: text++, question: 0, suite: 'needle', variant: 'fact', length: 1_000, words: 700 },
  ...{ depth: 0.5, answer: '7', error: null, score: 1, prompt_tokens: 1_000, cached_tokens: 200, answer_tokens: 3 },
  ...{ first_ms: 100, total_ms: 300, at: 1, ...changes },
});
const answered = (changes: Partial<EvaluationAnswerRow>) => store.answered(answer(changes));

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
  expect(await plan()).toEqual(['SEARCH evaluation_answers USING COVERING INDEX evaluation_cells (evaluation=?)']);
  for (const band of DEPTH_BANDS) expect(await store.answers('one', 9, undefined, { band })).toHaveLength(1);
  await sql`DELETE FROM evaluations`.execute(db);
  expect(await store.cells('one')).toEqual([]);
});

it('finds a page of the answers to some questions by the same index, and reads no others', async () => {
  for (let at = 0; at < 9; at++) await answered({ variant: `${at % 3}`, length: 1_000 * (1 + (at % 2)) });
  const of = { suite: 'needle', variants: ['0', '2'], length: 1_000, band: 'middle' as const };
  const all = (await store.answers('one', 99)).filter(({ variant, length }) => variant !== '1' && length === 1_000);
  expect(all).toHaveLength(4);
  const [first, second, ...rest] = all;
  asked.length = 0;
  expect(await store.answers('one', 2, undefined, of)).toEqual([first, second]);
  expect(await plan()).toContainEqual(
    'SEARCH evaluation_answers USING COVERING INDEX evaluation_cells (evaluation=? AND suite=? AND variant=? AND length=?)',
  );
  expect(await plan()).toContainEqual(
    'SEARCH evaluation_answers USING PRIMARY KEY (evaluation=? AND text=? AND question=?)',
  );
  const { text = 0, question = 0 } = second ?? {};
  expect(await store.answers('one', 9, { text, question }, of)).toEqual(rest);
});

/** Of what was asked first. */
async function plan(): Promise<string[]> {
  const [query] = asked;
  if (!query) throw new Error('Nothing was asked.');
  const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` });
  return rows.map(({ detail }) => detail);
}

describe('removing one', () => {
  const left = async () => (await store.answers('one', 9_999)).length;
  const begun = async () => {
    while ((await left()) === 2_500) await new Promise((turn) => setImmediate(turn));
  };
  const fill = async (count: number) => {
    await db.transaction().execute(async (all) => {
      for (let at = 0; at < count; at++) await new EvaluationStore(all).answered(answer({}));
    });
  };

  it('gives others their turns while its answers go', async () => {
    await fill(2_500);
    const removed = store.remove('one');
    await begun();
    expect(await left()).toBeGreaterThan(0);
    await removed;
    expect([await store.find('one'), await left()]).toEqual([undefined, 0]);
  });

  it('leaves one that begins anew where the process dies meanwhile', async () => {
    await store.set('one', { state: 'done', done: 7 });
    await fill(2_500);
    const removed = store.remove('one');
    await begun();
    expect(await store.find('one')).toMatchObject({ state: 'paused', done: 0 });
    await removed;
  });
});
