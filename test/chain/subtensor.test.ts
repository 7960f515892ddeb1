import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weightsCall } from '../../src-main/bittensor/calls/actions/weights.ts';
import * as calls from '../../src-main/bittensor/chain/calls.ts';
import { Chain } from '../../src-main/bittensor/chain/chain.ts';
import { commitHash, newSalt } from '../../src-main/bittensor/chain/commit-reveal.ts';
import { networkOf } from '../../src-main/bittensor/chain/networks.ts';
import { RpcSocket } from '../../src-main/bittensor/chain/rpc-socket.ts';
import { Runtime } from '../../src-main/bittensor/chain/runtime.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { PaymentStore } from '../../src-main/store/bittensor/payments.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { findChainSpec, type LocalChain, startChain } from '../support/chopsticks.ts';
import { sentCall } from '../support/sent-call.ts';
import { until } from '../support/until.ts';

const spec = findChainSpec();
const NETUID = 1;
/** Shorter than the subnet's own 100, so that the test need not make as many blocks. */
const RATE_LIMIT = 10;
const TEMPO = 10;

describe.skipIf(!spec)('a real subtensor, from its genesis', () => {
  let node: LocalChain;
  let rpc: RpcSocket;
  let runtime: Runtime;
  let chain: Chain;
  let coldkey: Signer;
  let hotkey: Signer;
  let buyer: Signer;

  beforeAll(async () => {
    coldkey = await testSigner('//Alice');
    hotkey = await testSigner('//Alice//hot');
    buyer = await testSigner('//Bob');
    node = await startChain(spec ?? '');
    rpc = await RpcSocket.open(node.url, { requestMs: 300_000 });
    const metadata = (await rpc.request('state_getMetadata')) as `0x${string}`;
    runtime = new Runtime(metadata, { specVersion: 218, transactionVersion: 1 });
    for (const { publicKey } of [coldkey, buyer]) {
      const account = { providers: 1, data: { free: raoOf('100') } };
      await store('FrameSystemAccountInfo', account, 'system', 'account', publicKey);
    }
    await store('u64', RATE_LIMIT, 'subtensorModule', 'weightsSetRateLimit', NETUID);
    await store('u16', TEMPO, 'subtensorModule', 'tempo', NETUID);
    await blocks(1);
    chain = new Chain({
      network: networkOf('local', node.url),
      log: pino({ level: 'silent' }),
      lookMs: 200,
    });
    chain.open();
    await until(() => expect(['connected', 'behind']).toContain(chain.state.status));
  }, 600_000);

  afterAll(async () => {
    await chain?.close();
    rpc?.close();
    await node?.close();
  });

  async function store(type: string, value: unknown, ...[pallet, item, ...args]: [string, string, ...unknown[]]) {
    const { key } = runtime.slot(pallet, item, ...args)!;
    await rpc.request('dev_setStorage', [[[key, runtime.registry.createTypeUnsafe(type, [value]).toHex(true)]]]);
  }

  const blocks = (count: number) => rpc.request('dev_newBlock', [{ count }]);

  /** What becomes of a call: blocks are made as long as one is waiting to come into one. */
  async function outcome<T>(sending: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    sending.then(end, end);
    while (!settled) {
      const waiting = (await rpc.request('author_pendingExtrinsics')) as unknown[];
      if (waiting.length > 0) await blocks(1);
    }
    return sending;
  }

  /** As a person would: looks at the draft, and says yes to it. */
  async function confirmed(call: calls.ChainCall) {
    const { data } = await chain.draft(call, coldkey.address);
    return outcome(sentCall(chain, call, coldkey, data));
  }

  const refusal = (words: RegExp) =>
    expect.objectContaining({ code: 'CHAIN_REFUSED', message: expect.stringMatching(words) });

  it('says what it is', async () => {
    expect(chain.state).toMatchObject({ network: 'local', specVersion: 218 });
    expect(await chain.hyperparameters(NETUID)).toMatchObject({ tempo: TEMPO, maxUids: 256, commitReveal: false });
    expect(await chain.hyperparameters(99)).toBeUndefined();
    expect(await chain.balance(coldkey.address)).toEqual({ free: raoOf('100'), reserved: 0n, frozen: 0n });
  });

  it('registers a hotkey, for a price and not without a word', async () => {
    const price = (await chain.registrationCost(NETUID))!;
    const at = { netuid: NETUID, hotkey: hotkey.address };
    await expect(chain.registration({ ...at, limitPrice: price - 1n })).rejects.toThrow(/more than your limit/);
    const call = await chain.registration({ ...at, limitPrice: price });
    await expect(sentCall(chain, call, coldkey)).rejects.toThrow(/a person has to confirm/);
    const { events } = await confirmed(call);
    expect(events).toContainEqual(
      expect.objectContaining({ name: 'NeuronRegistered', data: [NETUID, 1, hotkey.address] }),
    );
    expect(await chain.neuron(NETUID, hotkey.address)).toMatchObject({ uid: 1 });
    expect((await chain.balance(coldkey.address)).free).toBe(raoOf('100') - price);
    await expect(confirmed(call)).rejects.toEqual(refusal(/registered on the subnet already/));
    await expect(outcome(sentCall(chain, calls.serveAxon(AXON), buyer))).rejects.toEqual(
      refusal(/not registered on the subnet/),
    );
  });

  const AXON = { netuid: NETUID, ip: '203.0.113.9', port: 8_091, version: 10_002_000 };

  it('serves an axon, and not again right away', async () => {
    await outcome(sentCall(chain, calls.serveAxon(AXON), hotkey));
    const neuron = (await chain.metagraph(NETUID))?.neurons[1];
    expect(neuron).toMatchObject({ uid: 1, hotkey: hotkey.address, coldkey: coldkey.address });
    expect(neuron?.axon).toMatchObject({ ip: AXON.ip, port: AXON.port, version: AXON.version });
    await expect(sentCall(chain, calls.serveAxon({ ...AXON, port: 8_092 }), hotkey)).rejects.toEqual(
      refusal(/short while ago/),
    );
  });

  it('sets weights, once the rate limit lets it', async () => {
    const set = async (...weights: { uid: number; weight: number }[]) => {
      const neuron = (await chain.neuron(NETUID, hotkey.address))!;
      const asked = { netuid: NETUID, hotkey: hotkey.address, neuron, weights, versionKey: undefined };
      return outcome(sentCall(chain, (await weightsCall(chain, asked)).call, hotkey));
    };
    const two = [
      { uid: 0, weight: 1 },
      { uid: 1, weight: 0.5 },
    ];
    await expect(set(...two)).rejects.toEqual(refusal(/too early for weights/));
    await blocks((await chain.neuron(NETUID, hotkey.address))!.weightsIn);
    const { events } = await set(...two);
    expect(events.map(({ name }) => name)).toContain('WeightsSet');
    const slot = runtime.slot('subtensorModule', 'weights', NETUID, 1)!;
    expect(slot.read((await rpc.request('state_getStorage', [slot.key])) as string)).toEqual([
      [0, 65_535],
      [1, 32_768],
    ]);
    await blocks(RATE_LIMIT + 1);
    await expect(set({ uid: 200, weight: 1 })).rejects.toEqual(refusal(/no neuron 200/));
    await expect(set(two[0]!, two[0]!)).rejects.toThrow(/name one twice/);
  });

  it('commits to weights, and reveals them in the next epoch', async () => {
    await store('bool', true, 'subtensorModule', 'commitRevealWeightsEnabled', NETUID);
    await blocks(RATE_LIMIT + 1);
    const weights = { uids: [0, 1], values: [1, 65_535], versionKey: 0n };
    await expect(outcome(sentCall(chain, calls.setWeights({ netuid: NETUID }, weights), hotkey))).rejects.toEqual(
      refusal(/committed first/),
    );
    const open = { ...weights, hotkey: hotkey.address, netuid: NETUID, salt: newSalt() };
    const { events } = await outcome(
      sentCall(chain, calls.commitWeights({ netuid: NETUID }, commitHash(open)), hotkey),
    );
    expect(events.map(({ name }) => name)).toContain('WeightsCommitted');
    const reveal = calls.revealWeights({ netuid: NETUID }, open);
    await expect(outcome(sentCall(chain, reveal, hotkey))).rejects.toEqual(refusal(/too early/));
    await blocks(TEMPO + 1);
    const others = calls.revealWeights({ netuid: NETUID }, { ...open, values: [2, 65_535] });
    await expect(outcome(sentCall(chain, others, hotkey))).rejects.toEqual(
      refusal(/not the weights that were committed/),
    );
    const shown = await outcome(sentCall(chain, reveal, hotkey));
    expect(shown.events.map(({ name }) => name)).toContain('WeightsRevealed');
  });

  it('says in public what a neuron wants to say', async () => {
    await outcome(sentCall(chain, calls.setCommitment({ netuid: NETUID, data: Buffer.from('hello') }), hotkey));
    const said = await chain.commitments(NETUID, [hotkey.address, buyer.address]);
    expect([...said].map(([who, { data }]) => [who, String(data[0])])).toEqual([[hotkey.address, 'hello']]);
    const all = await chain.committed(NETUID);
    expect(all?.commitments.get(hotkey.address)?.block).toBeGreaterThan(0);
    expect(all?.commitments).toEqual(said);
  });

  it('cannot do what its runtime does not know, and says so', async () => {
    const stake = calls.addStakeLimit({ hotkey: hotkey.address, netuid: NETUID, amount: 1n, limitPrice: 1n });
    await expect(chain.draft(stake, coldkey.address)).rejects.toEqual(refusal(/version 218 has no call addStakeLimit/));
    const locked = calls.commitTimelockedWeights({ netuid: NETUID }, { commit: Buffer.of(1), round: 1, version: 4 });
    await expect(sentCall(chain, locked, hotkey)).rejects.toEqual(refusal(/has no call commitTimelocked/));
  });

  it('moves money, and shows that it was paid: once, finally, and to the right one', async () => {
    const db = await openDatabase(':memory:');
    const book = new PaymentStore(db);
    const since = chain.state.finalised!;
    const pay = calls.transferKeepAlive({ to: coldkey.address, amount: raoOf('2') });
    const { fee, data } = await chain.draft(pay, buyer.address);
    expect(fee).toBeGreaterThan(0n);
    const before = (await chain.balance(buyer.address)).free;
    const paid = await outcome(sentCall(chain, pay, buyer, data));
    expect((await chain.balance(buyer.address)).free).toBe(before - raoOf('2') - fee);

    const claim = { block: paid.block.number, extrinsic: paid.hash };
    const terms = { order: 'one', from: buyer.address, to: coldkey.address, atLeast: raoOf('2'), since };
    const take = (claimed = {}, agreed = {}) =>
      chain.takePayment(book, { ...claim, ...claimed }, { ...terms, ...agreed });
    await expect(take({ block: claim.block + 1 })).rejects.toThrow(/still be undone/);
    await expect(take({ block: claim.block - 1 })).rejects.toThrow(/older than the order/);
    await expect(take({ extrinsic: `0x${'11'.repeat(32)}` })).rejects.toThrow(/no such payment/);
    await expect(take({}, { atLeast: raoOf('2') + 1n })).rejects.toThrow(/not the one that was agreed/);
    await expect(take({}, { from: hotkey.address })).rejects.toThrow(/not the one that was agreed/);
    await expect(take({}, { to: hotkey.address })).rejects.toThrow(/not the one that was agreed/);
    await expect(take({}, { since: claim.block })).rejects.toThrow(/older than the order/);
    expect(await take()).toMatchObject({ amount: raoOf('2'), block: paid.block });
    expect(await take()).toMatchObject({ amount: raoOf('2') });
    await expect(take({}, { order: 'two' })).rejects.toThrow(/used already/);
    await db.destroy();
  });

  it('refuses what cannot be paid, before it is sent', async () => {
    const all = calls.transferKeepAlive({ to: coldkey.address, amount: raoOf('1000') });
    const { data } = await chain.draft(all, buyer.address);
    await expect(sentCall(chain, all, buyer, data)).rejects.toEqual(refusal(/not enough TAO/));
    expect(await rpc.request('author_pendingExtrinsics')).toEqual([]);
    const twice = calls.transferKeepAlive({ to: coldkey.address, amount: 501n });
    await expect(sentCall(chain, twice, buyer, data)).rejects.toThrow(/a person has to confirm/);
  });
});
