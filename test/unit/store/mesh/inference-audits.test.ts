import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { InferenceAuditStore } from '../../../../src-main/store/mesh/inference-audits.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const PAIR = { worker: 'ab'.repeat(32), model: 'cd'.repeat(32) };
const DAY = 86_400_000;
const audit = (tokens: number, share: number, at = 0) => ({
  ...PAIR,
  ...{ tokens, top: share * tokens, chosen: share * tokens, mismatches: share * tokens, at },
});
const open = async () => new InferenceAuditStore(await memoryDatabase());

it('adds up what audits of a worker came to', async () => {
  const store = await open();
  await store.add(audit(100, 0.5));
  expect(await store.add(audit(300, 0.1))).toMatchObject({ answers: 2, tokens: 400, top: 80, mismatches: 80 });
});

it('goes by the last tokens: nobody lies long on what was honest before', async () => {
  const store = await open();
  for (let answer = 0; answer < 2_000; answer++) await store.add(audit(64, 0));
  let row = await store.add(audit(64, 1));
  for (let lies = 1; row.mismatches / row.tokens < 0.1; lies++) {
    expect(lies).toBeLessThan(10);
    row = await store.add(audit(64, 1));
  }
  expect(row.tokens).toBeGreaterThan(2_048);
  expect(row.answers).toBeGreaterThan(2_000);
});

it('begins anew with who was found out thirty days ago', async () => {
  const store = await open();
  await store.add(audit(64, 1));
  await store.found(PAIR.worker, PAIR.model, '{}', []);
  expect(await store.add(audit(10, 1, DAY))).toMatchObject({ tokens: 74, finding: '{}' });
  expect(await store.add(audit(10, 0, 32 * DAY))).toMatchObject({ answers: 1, tokens: 10, top: 0, finding: null });
});

it('keeps answers of those who were found out last, all of a worker or none, and no more of all than it says', async () => {
  const store = new InferenceAuditStore(await memoryDatabase(), 10_000);
  const worker = (number: number) => number.toString(16).padStart(64, '0');
  const foundOut = async (number: number, answers: number[]) => {
    await store.add({ ...audit(64, 1, number), worker: worker(number) });
    const rows = answers.map((bytes, each) => ({
      ...{ request_id: `${number}/${each}`, worker: worker(number), model: PAIR.model, tokens: 1, at: number },
      answer: 'ä'.repeat(bytes / 2),
    }));
    await store.found(worker(number), PAIR.model, '{}', rows);
  };
  const kept = async () =>
    await Promise.all([0, 1, 2, 3].map(async (each) => (await store.answers(worker(each), PAIR.model)).length));
  await foundOut(0, [3_000, 3_000]);
  await foundOut(1, [2_000, 2_000]);
  expect(await kept()).toEqual([2, 2, 0, 0]);
  await foundOut(2, [2_000]);
  expect(await kept()).toEqual([0, 2, 1, 0]);
  await foundOut(3, [12_000]);
  expect(await kept()).toEqual([0, 0, 0, 1]);
  expect(await store.of(worker(0), PAIR.model)).toMatchObject({ finding: '{}' });
});

describe('of many workers', () => {
  const { model } = PAIR;
  const worker = (number: number) => number.toString(16).padStart(64, '0');

  it('keeps the five thousand that were audited last, and as many that were found out', async () => {
    const db = await memoryDatabase();
    const store = new InferenceAuditStore(db);
    await fill(db, { first: 0, finding: '{}' });
    await fill(db, { first: 10_000, finding: null });
    await store.add({ ...audit(1, 1, DAY), worker: worker(20_000) });
    expect(await there(store, [0, 10_000, 10_001, 20_000])).toEqual([true, false, true, true]);
    await store.found(worker(20_000), model, '{}', []);
    await store.add({ ...audit(1, 1, DAY), worker: worker(20_001) });
    expect(await there(store, [0, 1, 10_001, 20_000, 20_001])).toEqual([false, true, true, true, true]);
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM worker_audits`.execute(db);
    expect(rows[0]?.count).toBe(10_000);
  });

  it('tells who was found out, and who was audited last, by an index alone', async () => {
    const asked: CompiledQuery[] = [];
    const dialect = new QuarryDialect(openSqlite(':memory:'));
    const db = new Kysely<Tables>({ dialect, log: ({ query }: LogEvent) => void asked.push(query) });
    await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
    const store = new InferenceAuditStore(db);
    asked.length = 0;
    await store.add(audit(1, 1));
    await store.list(10);
    const plans = await Promise.all(
      asked
        .filter(({ sql }) => /worker_audits/.test(sql))
        .map(
          async (query) =>
            await db.executeQuery<{ detail: string }>({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` }),
        ),
    );
    const steps = plans.flatMap(({ rows }) => rows.map(({ detail }) => detail));
    expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([
      'SCAN worker_audits USING INDEX worker_audits_by_finding',
    ]);
    await db.destroy();
  });

  /** The number is the moment of the audit. */
  async function fill(db: Db, { first, finding }: { first: number; finding: string | null }): Promise<void> {
    await sql`
      WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${first + 5_000})
      INSERT INTO worker_audits (worker, model, answers, tokens, top, chosen, mismatches, finding, at)
      SELECT printf('%064x', n), ${model}, 1, 1, 1, 1, 1, ${finding}, n FROM numbers`.execute(db);
  }

  const there = async (store: InferenceAuditStore, numbers: number[]) =>
    await Promise.all(numbers.map(async (number) => (await store.of(worker(number), model)) !== undefined));
});
