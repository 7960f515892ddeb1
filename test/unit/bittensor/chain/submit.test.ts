import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as calls from '../../../../src-main/bittensor/chain/calls.ts';
import { ChainConnection } from '../../../../src-main/bittensor/chain/connection.ts';
import { networkOf } from '../../../../src-main/bittensor/chain/networks.ts';
import { Submitter } from '../../../../src-main/bittensor/chain/submit.ts';
import type { Signer } from '../../../../src-main/bittensor/signer.ts';
import { testSigner } from '../../../support/bittensor-signer.ts';
import { RUNTIME_381 } from '../../../support/runtime-381.ts';
import { BLOCK_HASH, Refused, SILENCE } from '../../../support/scripted-chain.ts';
import { sentCall, takenCall } from '../../../support/sent-call.ts';
import { hashOf, TakingChain } from '../../../support/taking-chain.ts';
import { until } from '../../../support/until.ts';
import { findVector } from '../../../support/vectors.ts';

const file = findVector('subtensor-381-metadata.scale');
const SERVE = calls.serveAxon({ netuid: 1, ip: '203.0.113.9', port: 8_091, version: 1 });
async function setUp(count = 1, outcomeMs?: number) {
  const nodes = await Promise.all(Array.from({ length: count }, () => new TakingChain().open()));
  for (const node of nodes) onTestFinished(() => node.close());
  const network = { ...networkOf('finney'), endpoints: nodes.map(({ url }) => url) };
  const connection = new ChainConnection({
    network,
    log: pino({ level: 'silent' }),
    lookMs: 20,
    firstWaitMs: 10,
  });
  connection.open();
  onTestFinished(() => connection.close());
  const signer = await testSigner('//Alice');
  await connection.session();
  return {
    nodes: nodes as TakingChain[],
    node: nodes[0] as TakingChain,
    connection,
    signer,
    submitter: new Submitter(connection, outcomeMs),
  };
}

const handedIn = (node: TakingChain, count = 1) => until(() => expect(node.pool).toHaveLength(count));

describe.skipIf(!file)('a call', () => {
  it('is shown with its fee before anybody signs it', async () => {
    const { submitter, signer, node } = await setUp();
    expect(await submitter.draft(SERVE, signer.address)).toMatchObject({
      pallet: 'subtensorModule',
      name: 'serveAxon',
      signedBy: 'hotkey',
      fee: 1_234n,
      data: expect.stringMatching(/^0x0704/),
    });
    expect(node.pool).toEqual([]);
  });

  it('has come to what happened in its final block', async () => {
    const { submitter, signer, node } = await setUp();
    const sending = sentCall(submitter, SERVE, signer);
    await handedIn(node);
    node.make();
    node.happenings = [
      [0, 'success'],
      [1, 'success'],
    ];
    node.make(['0x0102', ...node.pool]);
    const outcome = await sending;
    expect(outcome).toMatchObject({
      block: { number: 7, hash: hashOf(7) },
      extrinsic: 1,
      events: [{ name: 'ExtrinsicSuccess' }],
    });
    expect(outcome.events).toHaveLength(1);
  });

  it('of many is looked for in a block that is read once for all of them', async () => {
    const { submitter, signer, node } = await setUp();
    const calls = await Promise.all(Array.from({ length: 20 }, () => takenCall(submitter, SERVE, signer)));
    const ends = calls.map((call) => submitter.end(call));
    const asked = (method: string) => node.asked.filter((one) => one === method).length;
    const events = asked('state_getStorage');
    node.happenings = calls.map((_, at) => [at, 'success']);
    node.make(node.pool);
    for (const end of await Promise.all(ends)) expect(end).toMatchObject({ state: 'done' });
    expect(asked('chain_getBlock')).toBe(2); // and in the one before
    expect(asked('state_getStorage') - events).toBe(1);
  });

  it('that failed in its block says why', async () => {
    const { submitter, signer, node } = await setUp();
    const sending = sentCall(submitter, SERVE, signer);
    const refused = expect(sending).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
      message: expect.stringMatching(/\w/),
    });
    await handedIn(node);
    node.happenings = [[0, 'failed', 4]];
    node.make(node.pool);
    await refused;
  });

  it('is found by another endpoint when the one that took it is gone', async () => {
    const { submitter, signer, nodes, node } = await setUp(2);
    const sending = sentCall(submitter, SERVE, signer);
    await handedIn(node);
    const [, other] = nodes as [TakingChain, TakingChain];
    node.answers.chain_getBlockHash = () => BLOCK_HASH; // it has become another chain
    node.cut();
    other.make(node.pool);
    expect(await sending).toMatchObject({ block: { number: 6 } });
  });

  it('whose answer was lost may be in all the same, and is looked for', async () => {
    const { submitter, signer, node } = await setUp();
    node.answers.author_submitExtrinsic = ([extrinsic]) => {
      node.pool.push(String(extrinsic));
      node.cut();
      return SILENCE;
    };
    const sending = sentCall(submitter, SERVE, signer);
    await handedIn(node);
    node.make(node.pool);
    expect(await sending).toMatchObject({ block: { number: 6 } });
  });

  it('that no block took in while it counted never will be', async () => {
    const { submitter, signer, node } = await setUp();
    const call = await takenCall(submitter, SERVE, signer);
    node.finalise(80);
    expect(await submitter.end({ ...call, at: call.at - 3_600_000 })).toEqual({ state: 'expired' });
  });

  it('may still come when an endpoint says that all its blocks were there before they can have been', async () => {
    const { submitter, signer, node } = await setUp();
    const call = await takenCall(submitter, SERVE, signer);
    node.finalise(80);
    expect(await submitter.end(call)).toEqual({ state: 'unknown' });
  });

  it('of which nobody tells any more may have happened', async () => {
    const { submitter, signer, node } = await setUp(1, 200);
    const refused = expect(sentCall(submitter, SERVE, signer)).rejects.toThrow('unknown');
    await handedIn(node);
    await refused;
  });

  it('is numbered after the one before it, however fast they come', async () => {
    const { submitter, signer, node } = await setUp();
    const sending = [sentCall(submitter, SERVE, signer), sentCall(submitter, SERVE, signer)];
    await handedIn(node, 2);
    expect(new Set(node.pool).size).toBe(2);
    node.happenings = [
      [0, 'success'],
      [1, 'success'],
    ];
    node.make(node.pool);
    expect((await Promise.all(sending)).map(({ extrinsic }) => extrinsic)).toEqual([0, 1]);
  });
});

describe.skipIf(!file)('a call is not handed in', () => {
  const pay = (signer: Signer, amount: bigint) => calls.transferKeepAlive({ to: signer.address, amount });

  it('when it is a coldkey’s and nobody said yes to it, or to another', async () => {
    const { submitter, signer, node } = await setUp();
    const { data } = await submitter.draft(pay(signer, 1n), signer.address);
    for (const confirmed of [undefined, '', '0x', data]) {
      const sending = sentCall(submitter, pay(signer, 2n), signer, confirmed);
      await expect(sending).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'confirmed' });
    }
    expect(node.pool).toEqual([]);
  });

  it.each([
    // SCALE of `ApplyExtrinsicResult`: an error of pallet 7, one of validity, one that carries a number.
    ['it would fail', '0x0001030720000000', /\w/],
    ['it cannot be paid', '0x010001', /not enough TAO/],
    ['its key is used by another', '0x010003', /Another call of this key/],
    ['the pool would count it as too much', '0x01000706', /so often/],
    ['the pool says a number that nobody knows', '0x0100072a', /refuses this: 42/],
  ])('when %s', async (_, applied, words) => {
    const { submitter, signer, node } = await setUp();
    node.applied = applied;
    await expect(sentCall(submitter, SERVE, signer)).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
      message: expect.stringMatching(words),
    });
    expect(node.pool).toEqual([]);
  });

  it.each([
    ['0x', 'PROTOCOL'],
    ['0x00', 'PROTOCOL'],
    ['0xff', 'PROTOCOL'],
    ['fine', 'PROTOCOL'],
  ])('when trying it out gives %s', async (applied, code) => {
    const { submitter, signer, node } = await setUp();
    node.applied = applied;
    await expect(sentCall(submitter, SERVE, signer)).rejects.toMatchObject({ code });
    expect(node.pool).toEqual([]);
  });

  it.each([
    [1_010, 'Invalid Transaction', 'Custom error: 12', /address was set a short while ago/],
    [1_010, 'Invalid Transaction', 'Custom error: 255', /Too little stake/],
    [1_010, 'Invalid Transaction', 'Inability to pay some fees (e.g. account balance too low)', /not enough TAO/],
    [1_010, 'Invalid Transaction', 'Transaction is outdated', /Another call/],
    [1_010, 'Invalid Transaction', 'Transaction has a bad signature', /does not accept the signature/],
    [1_014, 'Priority is too low: (1 vs 2)', undefined, /Another call/],
    [1_016, 'Immediately Dropped\u001b[2J', undefined, /refuses this: Immediately Dropped/],
  ])('when the pool refuses it: %i %s %s', async (code, message, data, words) => {
    const { submitter, signer, node } = await setUp();
    node.answers.author_submitExtrinsic = () => {
      throw new Refused(code, message, data);
    };
    await expect(sentCall(submitter, SERVE, signer)).rejects.toMatchObject({
      code: 'CHAIN_REFUSED',
      message: expect.stringMatching(words),
    });
  });
});

it.skipIf(!file)('errors of pallets have the names that the metadata gives them', () => {
  expect(RUNTIME_381?.errorName(7, 4)).toBe('HotKeyNotRegisteredInSubNet');
  expect(RUNTIME_381?.errorName(7, 255)).toBeUndefined();
  expect(RUNTIME_381?.errorName(99, 0)).toBeUndefined();
});
