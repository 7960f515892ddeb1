import { type CompiledQuery, Kysely, type LogEvent, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrations, type Tables } from '../../../../src-main/store/database.ts';
import { MarketStore } from '../../../../src-main/store/market/focus-market.ts';
import type { MarketChange } from '../../../../src-main/store/market/market-change.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { listedOffer } from '../../../support/market-sales.ts';

const LOOKS = '0543-market-looks';
const book = { table: 'done', lockTable: 'done_lock' };

function emptyDatabase() {
  const asked: CompiledQuery[] = [];
  const log = ({ query }: LogEvent) => void asked.push(query);
  const db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')), log });
  onTestFinished(() => db.destroy());
  return { db, asked };
}

const change = (look: (change: MarketChange) => Promise<unknown>) => (store: MarketStore) => store.change(look);

it.each<[string, (store: MarketStore) => Promise<unknown>, string]>([
  ['kinds of what was sold last', (store) => store.lastKinds(4), 'offers_by_sale (state=?)'],
  ['what is for sale', (store) => store.forSale(['user'], { limit: 9 }), 'offers_by_kind (state=? AND kind=?)'],
  ['last sales', (store) => store.lastSales(['a', 'b']), 'offers_by_seller (seller=? AND state=?)'],
  ['files of what was sold', (store) => store.soldBefore(1), 'offers_by_bytes (state=? AND next_byte>?)'],
  ['files', (store) => store.withFile(), 'offers_by_bytes (state=? AND next_byte>?)'],
  ['bytes', (store) => store.bytesKept(), 'offers_by_bytes (state=? AND next_byte>?)'],
  ['the same bytes again', change((all) => all.isOffered('a', 'b')), 'offers_once (sha256=?)'],
  ['what was spent', (store) => store.spent(1), 'purchases_by_payment (state=? AND paid_at>?)'],
  ['what was paid', (store) => store.paidSince(1), 'purchases_by_payment (state=? AND paid_at>?)'],
  [
    'purchases of a buyer',
    change((all) => all.lockedAndOver('a', 1)),
    'purchases_by_buyer (buyer=? AND state=? AND paid_at>?)',
  ],
  ['locks of a buyer', change((all) => all.locksOf('a')), 'purchases_by_buyer (buyer=? AND state=?)'],
  ['what is owed', (store) => store.owedFor(['a', 'b']), 'purchases_by_offer (offer=? AND state=?)'],
  ['who is owed first', change((all) => all.firstOwed('a')), 'purchases_by_offer (offer=? AND state=?)'],
  ['what shows the same', (store) => store.examined.contentsBeside('a', 1).next(), 'offers_own_once (sha256=?)'],
  ['who holds it', change((all) => all.holder('a')), 'purchases_by_offer (offer=? AND state=?)'],
])('%s: looked up by an index of its own', async (_what, look, index) => {
  const [plan] = await plansOf(look);
  expect(plan).toContain(`market_${index}`);
  expect(plan).not.toContain('SCAN');
});

it('what is forgotten is found by an index, too', async () => {
  const plans = await plansOf((store) => store.past.forget(1));
  const indexes = [
    'purchases_by_state (state=? AND locked_until<?)',
    'offers_by_state (state=? AND changed_at<?)',
    'log_by_time (at<?)',
  ];
  expect(plans).toHaveLength(3);
  for (const [at, index] of indexes.entries()) expect(plans[at]).toContain(`market_${index}`);
  expect(plans.join()).not.toContain('SCAN');
});

/** How the database goes about what a look asks of it. */
async function plansOf(look: (store: MarketStore) => Promise<unknown>): Promise<string[]> {
  const { db, asked } = emptyDatabase();
  await migrate(db, { migrations, book, place: 'memory' });
  asked.length = 0;
  await look(new MarketStore(db));
  const queries = asked.filter(({ sql: text }) => /^(select|delete)/.test(text));
  const plans: string[] = [];
  for (const query of queries) {
    const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` });
    plans.push(rows.map(({ detail }) => detail).join('\n'));
  }
  return plans;
}

it('a market that has sold already keeps all of it', async () => {
  const { db } = emptyDatabase();
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < LOOKS));
  await migrate(db, { migrations: before, book, place: 'memory' });
  const store = new MarketStore(db);
  const purchase = {
    ...{
      id: 'p',
      offer: 'a',
      hotkey: 'ann-hot',
      buyer: 'ann',
      seller: 'seller-cold',
      price: 5n,
      state: 'paid' as const,
    },
    ...{ createdAt: 1, lockedUntil: 2, failedAt: null, afterBlock: 3, untilBlock: 4, paidBack: null },
    payment: { block: 4, extrinsic: '0xa', at: 6 },
  };
  const sold = listedOffer('a', { state: 'purchased', wish: 7n, soldAt: 6 });
  await store.change(async (all) => {
    await all.addOffer(sold);
    await all.addPurchase(purchase);
  });
  await migrate(db, { migrations, book, place: 'memory' });
  expect(await store.offer('a')).toEqual(sold);
  expect(await store.purchase('p')).toEqual(purchase);
  const { rows } = await sql`PRAGMA foreign_key_check`.execute(db);
  expect(rows).toEqual([]);
  const stranger = store.change((all) => all.addPurchase({ ...purchase, id: 'q', offer: 'none', state: 'expired' }));
  await expect(stranger).rejects.toThrow(/FOREIGN KEY/);
});

it('what was scored for nobody knows which task is scored again, and still known by its pictures', async () => {
  const { db } = emptyDatabase();
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0545'));
  await migrate(db, { migrations: before, book, place: 'memory' });
  await sql`INSERT INTO market_scores VALUES ('a', '0,1', 0.5, 'Work.', 0, 7), ('b', '2', 0.4, 'A fraud.', 1, 8)`.execute(
    db,
  );
  await migrate(db, { migrations, book, place: 'memory' });
  const { examined } = new MarketStore(db);
  expect(await Promise.all(['a', 'b'].map((sha256) => examined.scores(sha256, 0)))).toEqual([[], []]);
  expect(await examined.content('a')).toEqual({ pictures: '0,1', isRefused: false });
  expect(await examined.content('b')).toEqual({ pictures: '2', isRefused: true });
});
