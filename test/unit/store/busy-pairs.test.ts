import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countPair, listOutbox } from '../../../src-main/store/credits/receipts.ts';
import { type Db, migrations, type Tables } from '../../../src-main/store/database.ts';
import { ScoreStore } from '../../../src-main/store/mesh/scores.ts';
import { migrate } from '../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../src-main/store/sqlite.ts';
import { rowsRead } from '../../support/rows-read.ts';

const DAY = 20_777;
const PAIR = { worker: 'w', client: 'c', day: DAY, counted: 0 };
/** Of a pair, so many count on a day. */
const COUNTED = 20;

let db: Db;
/** What the database was asked last. */
let asked: CompiledQuery | undefined;
beforeEach(async () => {
  const log = ({ query }: LogEvent) => {
    asked = query;
  };
  db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')), log });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
});
afterEach(() => db.destroy());

/** How many rows the last question stepped over. */
const read = (values: Record<string, string | number>, limit?: number) =>
  rowsRead(db, asked as CompiledQuery, values, limit);

/** SQL for the numbers from 1 on. */
const numbers = (count: number) =>
  sql.raw(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`);

describe.each([1_000, 10_000])('of a pair that has %i receipts on a day', (count) => {
  it('those that counted are counted, and the others not looked at', async () => {
    await sql`INSERT INTO receipts ${numbers(count)} SELECT 'id' || i, 'worker', 'r' || i, 'w', 'c', ${DAY}, i <= ${COUNTED},
      NULL, 1, '{}', 'x', 'y' FROM n`.execute(db);
    expect(await countPair(db, 'w', 'c', DAY)).toBe(COUNTED);
    expect(await read(PAIR)).toBe(COUNTED);
  });

  it('those that counted in the log of another are counted, and the others not looked at', async () => {
    const store = new ScoreStore(db);
    await store.putLog({ worker: 'w', log_key: 'k', seq: count, state: '{}', claim: null, updated_at: 0 });
    await sql`INSERT INTO score_entries ${numbers(count)} SELECT 'w', i, 'r' || i, 'c', ${DAY}, i <= ${COUNTED}, 20
      FROM n`.execute(db);
    expect(await store.countPair('w', 'c', DAY)).toBe(COUNTED);
    expect(await read(PAIR)).toBe(COUNTED);
  });

  it('those that the worker has not acknowledged are read a page at a time, the oldest first', async () => {
    await sql`PRAGMA foreign_keys = OFF`.execute(db);
    await sql`INSERT INTO receipts ${numbers(count)} SELECT 'id' || i, 'client', 'r' || i, 'w', 'c', ${DAY}, 0,
      NULL, 1, '{}', 'x', 'y' FROM n`.execute(db);
    await sql`INSERT INTO outbox ${numbers(count)} SELECT 'r' || i, 'w', 'id' || i, 7 + i, ${DAY} FROM n`.execute(db);
    const page = await listOutbox(db, 'w', 100);
    expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => `id${index + 1}`));
    expect(await read({ worker: 'w' }, 100)).toBe(100);
  });
});
