import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import type { OfferRow, PurchaseRow } from '../../../../src-main/store/market/market-order-tables.ts';
import { MarketOrderStore } from '../../../../src-main/store/market/market-orders.ts';
import { type Migrations, migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';

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

const offer = (id: string, change: Partial<OfferRow>): OfferRow => ({
  ...{ id, market: 'm', url: 'http://127.0.0.1', wallet: 'main', hotkey: 'default', recording: 'r', title: 'a' },
  ...{ description: '', kind: 'user', wish: null, seller: 's', file: 'f', sha256: '00', bytes: 1, duration_ms: 1 },
  ...{
    score_card: '{}',
    chain: '{}',
    state: 'submitted',
    offer_id: id,
    sent_bytes: 1,
    left_bytes: 1,
    begun_again: 0,
    score: 1,
  },
  ...{ price: '5', reason: null, owed: '[]', error: null, created_at: 1, changed_at: 1, ...change },
});

describe('what came in', () => {
  it('is the sum of all there are, whatever amounts a market makes up', async () => {
    const { db, goOn } = await databaseOf('0532');
    await goOn();
    const store = new MarketOrderStore(db);
    expect(await store.earned()).toEqual({ settled: 0n, pending: 0n, owed: 0n });
    const most = String(2n ** 64n - 1n);
    const debt = (amount: string) => JSON.stringify([{ amount }, { amount: '1' }]);
    for (let index = 0; index < 600; index++) {
      await store.addOffer(
        offer(`sold ${index}`, { state: 'purchased', price: '1000000007', owed: debt('1999999999') }),
      );
    }
    for (const id of ['x', 'y']) await store.addOffer(offer(id, { state: 'purchasePending', price: most }));
    await store.addOffer(offer('z', { state: 'purchased', price: null }));
    expect(await store.earned()).toEqual({
      ...{ settled: 600n * 1_000_000_007n, pending: 2n * (2n ** 64n - 1n), owed: 600n * 2_000_000_000n },
    });
  });

  it('is asked for as long as something may change', async () => {
    const { db, goOn } = await databaseOf('0532');
    await goOn();
    const store = new MarketOrderStore(db);
    for (const state of ['prepared', 'sending', 'submitted', 'rejected', 'withdrawn', 'purchased'] as const) {
      await store.addOffer(offer(state, { state }));
    }
    await store.addOffer(offer('just sold', { state: 'purchased', changed_at: 10 }));
    await store.addOffer(offer('in debt', { state: 'purchased', owed: '[{"amount":"1"}]' }));
    const most = Array.from({ length: 30 }, (_, index) => offer(`old ${index}`, { state: 'rejected', created_at: 0 }));
    for (const one of most) await store.addOffer(one);
    expect(await store.shownOffers(5)).toHaveLength(20);
    const open = (await store.openOffers(5)).map(({ id }) => id);
    expect(open.sort()).toEqual(['in debt', 'just sold', 'sending', 'submitted']);
  });
});

it('what is owed goes on after a start, however many purchases came after it', async () => {
  const { db, goOn } = await databaseOf('0532');
  await goOn();
  const store = new MarketOrderStore(db);
  const rows = Array.from({ length: 600 }, (_, index) => purchase(`p${index}`, { state: 'fetched', created_at: 2 }));
  const all = [purchase('owed', { state: 'owed' }), purchase('open', { state: 'bought' }), ...rows] as PurchaseRow[];
  await db
    .insertInto('own_purchases')
    .values(all.map((row) => ({ ...row, rests: 0, back_hash: null })))
    .execute();
  expect((await store.openPurchases()).map(({ id }) => id)).toEqual(['open', 'owed']);
  const shown = (await store.shownPurchases()).map(({ id }) => id);
  expect(shown).toHaveLength(22);
  expect(shown.slice(-2)).toEqual(['owed', 'open']);
  const byPage: string[] = [];
  for (let page = 0; page < 7; page++) {
    byPage.push(...(await store.purchases({ before: byPage.at(-1), limit: 100 })).map(({ id }) => id));
  }
  expect([new Set(byPage).size, byPage.length]).toEqual([602, 602]);
  expect(await store.purchases({ before: byPage.at(-1), limit: 100 })).toEqual([]);
});
