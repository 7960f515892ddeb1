import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Db, migrations, type Tables } from '../../../src-main/store/database.ts';
import type { PurchaseRow } from '../../../src-main/store/market-orders.ts';
import { type Migrations, migrate } from '../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../src-main/store/sqlite.ts';

const upTo = (last: string): Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name.slice(0, 4) <= last));

/** A database as it was at a migration, and the way on. */
async function databaseOf(last: string): Promise<{ db: Db; goOn: () => Promise<void> }> {
  const db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')) });
  onTestFinished(() => db.destroy());
  const book = { table: 'done', lockTable: 'done_lock' };
  const run = (some: Migrations) => migrate(db, { migrations: some, book, place: ':memory:' });
  await run(upTo(last));
  return { db, goOn: () => run(migrations) };
}

/** As of the first version of the table. */
const purchase = (id: string, change: Partial<PurchaseRow>) => ({
  ...{ id, market: 'm', url: 'http://127.0.0.1', genesis: '0x', wallet: 'main', hotkey: 'default', video: id },
  ...{ title: 'a', price: '5', state: 'locked' as const, order_id: null, sha256: null, bytes: null, pays_from: null },
  ...{ pays_to: null, locked_until: null, kept_until: null, paying_since: null, call: null, call_hash: null },
  ...{ block: null, counts_at: 1, file: null, error: null, created_at: 1, ...change },
});

describe('purchases that were kept twice before', () => {
  it('are one to an order and a video from then on: the one that was paid', async () => {
    const { db, goOn } = await databaseOf('0532');
    const rows = [
      purchase('a1', { video: 'a', order_id: 'one' }),
      purchase('a2', { video: 'a', order_id: 'one', state: 'paid', call: 1 }),
      purchase('b1', { video: 'b', order_id: 'two', state: 'paid', call: 2 }),
      purchase('b2', { video: 'b', order_id: 'two', state: 'paid', call: 3, created_at: 2 }),
      purchase('c1', { video: 'c', state: 'locking' }),
      purchase('c2', { video: 'c', order_id: 'three', created_at: 2 }),
      purchase('d1', { video: 'd', order_id: 'four' }),
    ];
    await db
      .insertInto('own_purchases')
      .values(rows as PurchaseRow[])
      .execute();
    await goOn();
    const kept = await db.selectFrom('own_purchases').select(['id', 'state', 'order_id']).orderBy('id').execute();
    expect(kept.map(({ id, state, order_id }) => [id, state, order_id])).toEqual([
      ['a1', 'expired', 'one'],
      ['a2', 'paid', 'one'],
      ['b1', 'paid', 'two'],
      ['b2', 'paid', null],
      ['c1', 'locking', null],
      ['c2', 'expired', 'three'],
      ['d1', 'locked', 'four'],
    ]);
  });
});
