import { Kysely, type LogEvent, sql } from 'kysely';
import { expect, it } from 'vitest';
import { listDays, summarise } from '../../../../src-main/credits/ledger/summary.ts';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { DAY, NOON } from '../../../support/credit-nodes.ts';

const QUARTERS_A_DAY = 96;
const DAYS = 3;

const IN_MEMORY = { available: 0, owed: 0, reserved: 0, pending: { requests: 0, credits: 0, points: 0 } };
const RULES = { gifts: { most: 20, perDay: 10 }, rule: 'claims' } as const;

/** Receipts of 10 points each, spread over the last days. */
async function receiveOn(db: Db, count: number): Promise<void> {
  const step = Math.floor((DAYS * DAY) / count);
  await sql`INSERT INTO own_entries WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT i, ${NOON} - i * ${step}, 'earn', 2, 10, 1 FROM n`.execute(db);
}

/** What the summary and the days come to, what they asked for that, and how many sums there were to read. */
async function lookAfter(receipts: number) {
  const asked: string[] = [];
  const log = ({ query }: LogEvent) => void asked.push(query.sql);
  const db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')), log });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  await receiveOn(db, receipts);
  asked.length = 0;
  const summary = await summarise(db, { now: NOON, ...IN_MEMORY, ...RULES });
  const days = await listDays(db, NOON, 366);
  const questions = [...asked];
  const sums = await db.selectFrom('own_sums').selectAll().execute();
  await db.destroy();
  return { summary, days, questions, sums: sums.length };
}

it.each([1_000, 10_000])(
  'what %i receipts come to is read from the sums of their days, and no receipt again',
  async (count) => {
    const { summary, days, questions, sums } = await lookAfter(count);
    expect(summary).toMatchObject({ served: count, earnedWeek: 10 * count });
    const total = (of: (day: (typeof days)[number]) => number) => days.reduce((sum, day) => sum + of(day), 0);
    expect([total((day) => day.requests), total((day) => day.points), total((day) => day.spent)]).toEqual([
      count,
      10 * count,
      count,
    ]);
    expect(questions.filter((text) => /own_entries|ledger_entries|postings|receipts/.test(text))).toEqual([]);
    expect(questions.filter((text) => /own_sums/.test(text))).toHaveLength(4);
    expect(sums).toBeLessThanOrEqual((DAYS + 1) * (QUARTERS_A_DAY + 1));
  },
);
