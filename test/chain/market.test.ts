import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../src-main/bittensor/address.ts';
import { Chain } from '../../src-main/bittensor/chain/chain.ts';
import { extrinsicHash, signedCall } from '../../src-main/bittensor/chain/extrinsic.ts';
import { networkOf } from '../../src-main/bittensor/chain/networks.ts';
import { header, shaped } from '../../src-main/bittensor/chain/shapes.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import { OMEGA_TERMS } from '../../src-main/subnets/omega/market/rules/terms.ts';
import { Sales } from '../../src-main/subnets/omega/market/server/sales.ts';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { LocalSubtensor, SPEC } from '../support/local-subtensor.ts';
import { listedOffer } from '../support/market-sales.ts';
import { until } from '../support/until.ts';

const PRICE = raoOf('0.05');
const log = pino({ level: 'silent' });

/** What a market believes of a real chain: its blocks are made when the test says so, its calls are whatever people can send. */
describe.skipIf(!SPEC)('a market on a real subtensor', () => {
  let node: LocalSubtensor;
  let chain: Chain;
  let store: MarketStore;
  let ann: Signer;
  let bob: Signer;
  let proxy: Signer;
  let seller: Signer;
  let close: () => Promise<void>;
  let ids = 0;
  const clock = { now: 1_000_000 };

  beforeAll(async () => {
    [ann, bob, proxy, seller] = (await Promise.all(['//Ann', '//Bob', '//Proxy', '//Sam'].map(testSigner))) as [
      Signer,
      Signer,
      Signer,
      Signer,
    ];
    node = await LocalSubtensor.start();
    for (const one of [ann, bob, proxy]) await node.fund(one.publicKey, raoOf('100'));
    await node.store('AccountId32', ann.publicKey, 'subtensorModule', 'owner', hot('ann').publicKey);
    await node.store('AccountId32', bob.publicKey, 'subtensorModule', 'owner', hot('bob').publicKey);
    await node.blocks(1);
    chain = new Chain({ network: networkOf('local', node.url), log, lookMs: 200 });
    chain.open();
    await until(() => expect(['connected', 'behind']).toContain(chain.state.status));
    const db = await openDatabase(':memory:');
    store = new MarketStore(db);
    close = () => db.destroy();
  }, 600_000);

  afterAll(async () => {
    await chain?.close();
    await close?.();
    await node?.close();
  });

  /** Nobody has a lock, nor has he had one. */
  beforeEach(async () => {
    clock.now += 2 * OMEGA_TERMS.windowMs;
    await open().endLapsed();
    await store.change(async (change) => {
      for (const one of [ann, bob]) await change.setBuyer(one.address, { failures: 0, bannedUntil: null });
    });
  });

  /** Hotkeys of which only the address is used. */
  const hot = (whose: 'ann' | 'bob') => ({ publicKey: new Uint8Array(32).fill(whose === 'ann' ? 0x11 : 0x22) });
  const hotkeyOf = (whose: 'ann' | 'bob') => addressOf(hot(whose).publicKey);

  const open = () =>
    new Sales({
      ...{ store, terms: OMEGA_TERMS, pool: () => raoOf('1000'), now: () => clock.now, log },
      newId: () => (++ids).toString(16).padStart(32, '0'),
      chain: {
        genesis: () => chain.genesis(),
        head: () => chain.head(),
        ownerOf: (hotkey) => chain.owner(hotkey),
        takePayment: (...payment) => chain.takePayment(...payment),
      },
    });

  /** A new video that is for sale. */
  async function listed(): Promise<string> {
    const id = (++ids).toString(16).padStart(32, 'f');
    await store.change((change) => change.addOffer(listedOffer(id, { seller: seller.address, price: PRICE })));
    return id;
  }

  async function locked(sales = open(), whose: 'ann' | 'bob' = 'ann') {
    const hotkey = hotkeyOf(whose);
    const { purchase } = await sales.lock(hotkey, await listed(), PRICE);
    const verify = (claim: { block: number; extrinsic: string }, by = sales) => by.verify(hotkey, purchase.id, claim);
    return { purchase, verify, hotkey };
  }

  const transfer = (amount = PRICE, to = seller) => call('balances', 'transferKeepAlive', to.address, amount);

  function call(pallet: string, name: string, ...args: unknown[]): string {
    const index = (node.runtime.call(pallet, name) as unknown as (...all: unknown[]) => { toHex(): string })(...args);
    return index.toHex();
  }

  /** Signs a call of any kind, and has it come into a block. @returns how a buyer tells of it */
  async function sent(data: string, signer: Signer): Promise<{ block: number; extrinsic: string }> {
    const head = (await node.rpc.request('chain_getFinalizedHead')) as string;
    const { number } = shaped(header, await node.rpc.request('chain_getHeader', [head]));
    const nonce = Number(await node.rpc.request('system_accountNextIndex', [signer.address]));
    const { bytes } = await signedCall(node.runtime, data, signer, {
      ...{ genesis: await chain.genesis(), nonce, since: { number, hash: head } },
    });
    await node.rpc.request('author_submitExtrinsic', [bytes]);
    await node.blocks(1);
    return { block: await chain.head(), extrinsic: extrinsicHash(bytes) };
  }

  const refused = (words: RegExp) => ({ code: 'PAYMENT', message: expect.stringMatching(words) });

  it('knows who owns a hotkey, and that nobody owns another', async () => {
    expect(await chain.owner(hotkeyOf('ann'))).toBe(ann.address);
    expect(await chain.owner(seller.address)).toBeUndefined();
  });

  it('believes an exact transfer, once', async () => {
    const { verify } = await locked();
    const claim = await sent(transfer(), ann);
    expect(await verify(claim)).toMatchObject({ state: 'paid', payment: claim });
    const other = await locked();
    await expect(other.verify(claim)).rejects.toMatchObject(refused(/older/));
  });

  it('believes no other amount, receiver or sender', async () => {
    const { verify } = await locked();
    for (const amount of [PRICE - 1n, PRICE + 1n])
      await expect(verify(await sent(transfer(amount), ann))).rejects.toMatchObject(refused(/not the one/));
    await expect(verify(await sent(transfer(PRICE, bob), ann))).rejects.toMatchObject(refused(/not the one/));
    await expect(verify(await sent(transfer(), bob))).rejects.toMatchObject(refused(/not the one/));
  });

  it('believes no transfer that failed', async () => {
    const { verify } = await locked();
    const claim = await sent(transfer(raoOf('1000')), ann);
    await expect(verify(claim)).rejects.toMatchObject(refused(/failed/));
  });

  it('believes a transfer in a batch, and two in one batch for two purchases', async () => {
    const sales = open();
    const one = await locked(sales, 'bob');
    const two = await locked(sales, 'bob');
    const claim = await sent(call('utility', 'batchAll', [transfer(), transfer()]), bob);
    expect(await one.verify(claim)).toMatchObject({ state: 'paid' });
    expect(await two.verify(claim)).toMatchObject({ state: 'paid' });
    const third = await locked(sales, 'bob');
    await expect(third.verify(claim)).rejects.toMatchObject(refused(/older|used/));
  });

  it('does not believe a batch of which the transfer failed', async () => {
    const { verify } = await locked();
    const claim = await sent(call('utility', 'batch', [transfer(raoOf('1000')), transfer()]), ann);
    await expect(verify(claim)).rejects.toMatchObject(refused(/not the one|failed/));
  });

  it('believes a transfer through a proxy of the buyer', async () => {
    await sent(call('proxy', 'addProxy', proxy.address, 'Any', 0), ann);
    const { verify } = await locked();
    const claim = await sent(call('proxy', 'proxy', ann.address, null, transfer()), proxy);
    expect(await verify(claim)).toMatchObject({ state: 'paid' });
    const other = await locked();
    const failed = await sent(call('proxy', 'proxy', ann.address, null, transfer(raoOf('1000'))), proxy);
    await expect(other.verify(failed)).rejects.toMatchObject(refused(/not the one/));
  });

  it('believes nothing that was paid before the lock', async () => {
    const claim = await sent(transfer(), ann);
    const { verify } = await locked();
    await expect(verify(claim)).rejects.toMatchObject(refused(/older/));
  });

  it('gives two who ask at once one lock', async () => {
    const [sales, video] = [open(), await listed()];
    const both = [hotkeyOf('ann'), hotkeyOf('bob')];
    const ends = await Promise.allSettled(both.map((hotkey) => sales.lock(hotkey, video, PRICE)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('believes a payment after the lock was let go, and after a crash between payment and word of it', async () => {
    const first = open();
    const { purchase, verify, hotkey } = await locked(first);
    const claim = await sent(transfer(), ann);
    await first.revert(hotkey, purchase.id);
    expect(await verify(claim, open())).toMatchObject({ state: 'paid' });
    expect(await verify(claim, open())).toMatchObject({ state: 'paid' });
  });
});
