import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChainConnection } from '../../../../src-main/bittensor/chain/connection.ts';
import { extrinsicHash } from '../../../../src-main/bittensor/chain/extrinsic.ts';
import { takePayment } from '../../../../src-main/bittensor/chain/payments.ts';
import { PaymentStore } from '../../../../src-main/store/bittensor/payments.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';
import { type Answers, eventsOf, type Happening, RUNTIME_381, readerOf, rpcOf } from '../../../support/runtime-381.ts';

const BUYER = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const SELLER = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const HASH = `0x${'ee'.repeat(32)}`;
const [OTHER_CALL, CALL] = ['0x0102', '0x0304'];

async function seller(happenings: readonly Happening[], lies: Answers = {}) {
  const db = await openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const answers: Answers = {
    chain_getFinalizedHead: () => HASH,
    chain_getHeader: () => ({ number: '0x14', parentHash: HASH }),
    chain_getBlockHash: () => HASH,
    chain_getBlock: () => ({ block: { header: { number: '0x0a' }, extrinsics: [OTHER_CALL, CALL] } }),
    state_getStorage: () => eventsOf(happenings),
    ...lies,
  };
  const connection = {
    session: async () => ({ rpc: rpcOf(answers), runtime: RUNTIME_381, genesis: HASH }),
    at: async () => readerOf(answers),
  } as unknown as ChainConnection;
  const book = new PaymentStore(db);
  const terms = { order: 'one', from: BUYER, to: SELLER, atLeast: 100n, since: 5 };
  return (agreed = {}) =>
    takePayment(connection, book, { block: 10, extrinsic: extrinsicHash(CALL!) }, { ...terms, ...agreed });
}

const paid: Happening[] = [
  [0, 'success'],
  [1, 'transfer', BUYER, SELLER, 100],
  [1, 'success'],
];

describe.skipIf(!RUNTIME_381)('a payment counts', () => {
  it('when the transfer happened in the call that is named', async () => {
    const take = await seller(paid);
    expect(await take()).toEqual({ block: { number: 10, hash: HASH }, event: 1, amount: 100n });
  });

  it('for one order each, of several in one call', async () => {
    const take = await seller([...paid.slice(0, 2), [1, 'transfer', BUYER, SELLER, 250], [1, 'success']]);
    const orders = ['one', 'two', 'one'].map((order) => () => take({ order }));
    const amounts: bigint[] = [];
    for (const order of orders) amounts.push((await order()).amount);
    expect(amounts).toEqual([100n, 250n, 100n]);
    await expect(take({ order: 'three' })).rejects.toThrow(/used already/);
  });

  it('with neither more nor less where that was agreed, and no later than that', async () => {
    const take = await seller([
      [1, 'transfer', BUYER, SELLER, 101],
      [1, 'transfer', BUYER, SELLER, 100],
      [1, 'success'],
    ]);
    await expect(take({ atLeast: 102n, atMost: 102n })).rejects.toThrow(/not the one/);
    await expect(take({ atMost: 99n, atLeast: 99n })).rejects.toThrow(/not the one/);
    await expect(take({ until: 9 })).rejects.toThrow(/too late/);
    expect(await take({ atMost: 100n, until: 10 })).toMatchObject({ event: 1, amount: 100n });
  });

  it('in the blocks after the order, up to the last one that was agreed', async () => {
    const take = await seller(paid);
    await expect(take({ since: 10 })).rejects.toThrow(/older/);
    await expect(take({ since: 9, until: 9 })).rejects.toThrow(/too late/);
    expect(await take({ since: 9, until: 10 })).toMatchObject({ block: { number: 10 } });
  });

  it.each<[string, Happening[], RegExp]>([
    [
      'that failed',
      [
        [1, 'transfer', BUYER, SELLER, 100],
        [1, 'failed', 0],
      ],
      /failed on the chain/,
    ],
    [
      'that happened in another call',
      [
        [0, 'transfer', BUYER, SELLER, 100],
        [0, 'success'],
        [1, 'success'],
      ],
      /not the one/,
    ],
    [
      'of another buyer',
      [
        [1, 'transfer', SELLER, SELLER, 100],
        [1, 'success'],
      ],
      /not the one/,
    ],
    [
      'to another seller',
      [
        [1, 'transfer', BUYER, BUYER, 100],
        [1, 'success'],
      ],
      /not the one/,
    ],
    [
      'of too little',
      [
        [1, 'transfer', BUYER, SELLER, 99],
        [1, 'success'],
      ],
      /not the one/,
    ],
    [
      'of two halves',
      [
        [1, 'transfer', BUYER, SELLER, 50],
        [1, 'transfer', BUYER, SELLER, 50],
        [1, 'success'],
      ],
      /not the one/,
    ],
    ['without an end', [[1, 'transfer', BUYER, SELLER, 100]], /failed on the chain/],
    ['that nobody made', [], /failed on the chain/],
  ])('but none %s', async (_, happenings, words) => {
    const take = await seller(happenings);
    await expect(take()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'payment',
      message: expect.stringMatching(words),
    });
  });

  it.each<[string, Answers, string]>([
    [
      'has another number',
      { chain_getBlock: () => ({ block: { header: { number: '0x0b' }, extrinsics: [CALL] } }) },
      'PROTOCOL',
    ],
    ['is not final', { chain_getHeader: () => ({ number: '0x09', parentHash: HASH }) }, 'BAD_REQUEST'],
    ['is not there', { chain_getBlockHash: () => null }, 'PROTOCOL'],
    ['is empty', { chain_getBlock: () => ({ block: { header: { number: '0x0a' }, extrinsics: [] } }) }, 'BAD_REQUEST'],
    ['has events that are none', { state_getStorage: () => '0xffffffff' }, 'PROTOCOL'],
    ['has more events than any block', { state_getStorage: () => `0x02001000${'00'.repeat(262_144)}` }, 'PROTOCOL'],
    ['has no events', { state_getStorage: () => null }, 'PROTOCOL'],
  ])('and none in a block that %s', async (_, lies, code) => {
    const take = await seller(paid, lies);
    await expect(take()).rejects.toMatchObject({ code });
  });
});
