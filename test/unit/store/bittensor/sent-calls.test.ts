import { afterEach, beforeEach, expect, it } from 'vitest';
import { BalanceSampleStore } from '../../../../src-main/store/bittensor/balance-samples.ts';
import { SentCallStore } from '../../../../src-main/store/bittensor/sent-calls.ts';
import { type Db, openDatabase } from '../../../../src-main/store/database.ts';

const CALL = {
  at: 1_000,
  network: 'test' as const,
  genesis: '0x00',
  action: 'transfer' as const,
  signer: 'from',
  target: 'to',
  netuid: null,
  moves: '5',
  fee: '1',
  hash: '0x01',
  extrinsic: '0x02',
  after_block: 1,
  last_block: 64,
};

let db: Db;
let store: SentCallStore;
beforeEach(async () => {
  db = await openDatabase(':memory:');
  store = new SentCallStore(db);
});
afterEach(() => db.destroy());

it.each([
  ['waiting', true],
  ['unknown', true],
  ['expired', true],
  ['done', false],
  ['failed', false],
] as const)('a call that is %s may yet come about: %s', async (state, may) => {
  const id = await store.add(CALL);
  if (state !== 'waiting') await store.settle(id, { state });
  expect(await store.mayCome(CALL, 0)).toBe(may);
});

it.each([
  { target: 'another' },
  { moves: '6' },
  { netuid: 3 },
  { network: 'finney' as const },
  { action: 'stake' as const },
])('another call is not the same: %o', async (other) => {
  await store.add(CALL);
  expect(await store.mayCome({ ...CALL, ...other }, 0)).toBe(false);
});

it('a stake of another amount is the same, on the same subnet', async () => {
  const stake = { ...CALL, action: 'stake' as const, netuid: 3 };
  await store.add(stake);
  const { moves, ...same } = stake;
  expect(await store.mayCome(same, 0)).toBe(true);
  expect(await store.mayCome({ ...same, netuid: 4 }, 0)).toBe(false);
});

it('a call of long ago does not come any more', async () => {
  await store.add(CALL);
  expect(await store.mayCome(CALL, CALL.at)).toBe(false);
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 23, 9, 30);
/** The same with the largest amount there is. */
const FINNEY: Parameters<SentCallStore['add']>[0] = {
  ...CALL,
  ...{ network: 'finney', genesis: '0x01', target: 'b', moves: String(2n ** 64n - 1n), after_block: 5, last_block: 69 },
};

it('keeps calls, the newest first, and those that are open for a month', async () => {
  const ids: number[] = [];
  for (const at of [NOW - 31 * DAY, NOW - DAY, NOW]) ids.push(await store.add({ ...FINNEY, at }));
  expect((await store.page({ limit: 2 })).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect((await store.page({ before: ids[1]!, limit: 2 })).map(({ id }) => id)).toEqual([ids[0]]);
  expect((await store.open(NOW)).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect(await store.hasPaid('finney', 'b')).toBe(false);
  await store.settle(ids[1]!, { state: 'done', block: 7, fee: '2' });
  await store.settle(ids[2]!, { state: 'unknown' });
  expect(await store.get(ids[1]!)).toMatchObject({ state: 'done', block: 7, fee: '2', moves: FINNEY.moves });
  expect((await store.open(NOW)).map(({ id }) => id)).toEqual([ids[2]]);
  expect([await store.hasPaid('finney', 'b'), await store.hasPaid('test', 'b')]).toEqual([true, false]);
  expect(await store.hasPaid('finney', 'c')).toBe(false);
});

it('a call that is under way is not lost among very many of which nobody tells', async () => {
  for (let at = 0; at < 300; at++) await store.settle(await store.add({ ...FINNEY, at: NOW }), { state: 'unknown' });
  const last = await store.add({ ...FINNEY, at: NOW });
  expect((await store.open(NOW))[0]?.id).toBe(last);
});

it('finds transfers again by what they are for, or those for nothing', async () => {
  const like = { genesis: '0x01', signer: FINNEY.signer, target: 'b', moves: FINNEY.moves, at: NOW };
  const wanted = [null, 'two', 'one'].map((purpose) => ({ ...FINNEY, action: 'transfer' as const, at: NOW, purpose }));
  for (const call of wanted) await store.add(call);
  const found = async (purpose: string) => (await store.transfers({ ...like, purpose })).map((one) => one.purpose);
  expect(await found('one')).toEqual(['one', null]);
  expect(await found('two')).toEqual(['two', null]);
  expect(await found('three')).toEqual([null]);
});

it('keeps hidden weights until a call has revealed them', async () => {
  const weights = {
    hotkey: 'h',
    netuid: 3,
    uids: [1, 2],
    values: [65_535, 7],
    salt: [1, 2, 3],
    versionKey: 2n ** 64n - 1n,
  };
  const commit = { ...FINNEY, action: 'weights', target: 'h', netuid: 3 } as const;
  const reveal = { ...commit, action: 'reveal' } as const;
  const [first, second] = [await store.add(commit, { hides: weights }), await store.add(commit, { hides: weights })];
  const hidden = async () => (await store.hidden('0x01', 'h', 3)).map(({ call, block }) => [call, block]);
  expect(await hidden()).toEqual([
    [second, 6], // the first block that may have it
    [first, 6],
  ]);
  await store.settle(first, { state: 'done', block: 9 });
  await store.settle(second, { state: 'expired' });
  expect(await store.hidden('0x01', 'h', 3)).toEqual([{ ...weights, call: first, block: 9 }]);
  expect([await store.hidden('0x02', 'h', 3), await store.hidden('0x01', 'h', 4)]).toEqual([[], []]);
  const failed = await store.add(reveal, { reveals: first });
  expect(await hidden()).toEqual([]);
  await store.settle(failed, { state: 'failed' });
  expect(await hidden()).toEqual([[first, 9]]);
  await store.settle(await store.add(reveal, { reveals: first }), { state: 'done', block: 11 });
  expect(await hidden()).toEqual([]);
});

it('keeps what accounts had, the last of every hour, for 400 days', async () => {
  const samples = new BalanceSampleStore(db);
  const keep = (at: number, total: bigint) => samples.keep('finney', new Map([['a', total]]), at);
  await keep(NOW - 401 * DAY, 1n);
  await keep(NOW - HOUR, 2n);
  await keep(NOW, 3n);
  await keep(NOW + 60_000, 2n ** 64n);
  await samples.keep('test', new Map([['a', 9n]]), NOW);
  const all = await samples.since('finney', 'a', 0);
  expect(all).toEqual([
    { at: NOW - HOUR, total: 2n },
    { at: NOW + 60_000, total: 2n ** 64n },
  ]);
  await keep(NOW + 120_000, 2n ** 64n);
  expect(await samples.since('finney', 'a', 0)).toEqual(all); // a page that is open asks with every block: what is as before is not written
  expect(await samples.since('finney', 'a', NOW)).toHaveLength(1);
  expect(await samples.since('finney', 'b', 0)).toEqual([]);
});
