import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chainReport, openChain, usesBittensor } from '../../../../src-main/app/parts/bittensor/chain.ts';
import { openWallet } from '../../../../src-main/app/parts/bittensor/wallet.ts';
import type { Core } from '../../../../src-main/app/parts/core.ts';
import { chainRoutes } from '../../../../src-main/app/routes/chain.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { SentCallStore } from '../../../../src-main/store/bittensor/sent-calls.ts';
import { openDatabase } from '../../../../src-main/store/database.ts';
import type { Caller } from '../../../../src-preload/contract/caller.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';
import { ScriptedChain } from '../../../support/scripted-chain.ts';
import { until } from '../../../support/until.ts';

const log = pino({ level: 'silent' });
const WAITING = {
  ...({ at: Date.now(), network: 'finney', genesis: '0x00', action: 'transfer', signer: 'a', target: 'b' } as const),
  ...{ netuid: null, moves: '5', fee: '1', hash: '0x01', extrinsic: '0x02', after_block: 1, last_block: 64 },
};

/** The contract's `chain` of a node whose chain says nothing but its blocks. */
async function openRoutes({ caller = { confidential: true } as Caller, stays = false, sent = false } = {}) {
  const folder = await temporaryFolder();
  const node = await new ScriptedChain().open();
  const db = await openDatabase(':memory:');
  if (sent) await new SentCallStore(db).add(WAITING);
  const env = { BT_WALLET_PATH: folder.path, BT_SUBTENSOR_CHAIN_ENDPOINT: node.url };
  const config = loadConfig({ env, flags: { dataDir: folder.path } });
  const closing: (() => void | Promise<void>)[] = [];
  const ending = new AbortController();
  const core = {
    ...{ config, db, log, ports: {} },
    until: (signal?: AbortSignal) => (signal ? AbortSignal.any([ending.signal, signal]) : ending.signal),
    onClose: (close: () => void | Promise<void>) => void closing.unshift(close),
  } as unknown as Core;
  const part = await openChain(core, { wallet: openWallet(core), stays });
  onTestFinished(async () => {
    ending.abort();
    for (const close of closing) await close();
    await node.close();
    await db.destroy();
    await folder.remove();
  });
  const chain = createRouterClient(chainRoutes(implementer(log).domain('chain'), part), { context: caller });
  return { node, part, chain };
}

describe('the chain', () => {
  it('is not spoken to before somebody asks for it', async () => {
    const { node, part, chain } = await openRoutes({ stays: true });
    expect(await chain.state()).toEqual({ network: 'finney', endpoint: node.url, status: 'idle' });
    expect(await chain.calls({})).toEqual({ calls: [], more: false });
    expect(await chain.history({ address: '5HDv', days: 7 })).toEqual([]);
    const read = chainReport(part, { isUsed: false });
    expect([read.checks, await read.figures?.[0]?.read()]).toEqual([undefined, 0]);
    expect(node.connections).toBe(0);
  });

  it('is connected with by whoever watches it, and told of as it changes', async () => {
    const { node, chain, part } = await openRoutes();
    const seen: string[] = [];
    for await (const { status, finalised } of await chain.watch()) {
      seen.push(status);
      if (status === 'connected' && finalised === 5) node.finalise(6);
      if (finalised === 6) break;
    }
    expect(seen).toContain('connected');
    expect(await chainReport(part, { isUsed: true }).checks?.chain?.()).toMatchObject({ name: 'chain', status: 'ok' });
  });

  it('is asked at once by a node that stays what came of the calls of an earlier life', async () => {
    const command = await openRoutes({ sent: true });
    expect((await command.chain.calls({})).calls).toMatchObject([{ id: 1, state: 'waiting', to: 'b' }]);
    const { node, chain } = await openRoutes({ sent: true, stays: true });
    // It is another chain than the one that the call was for.
    await until(async () => expect((await chain.calls({})).calls).toMatchObject([{ state: 'unknown' }]));
    expect([node.connections, command.node.connections]).toEqual([1, 0]);
  });

  it('takes no password where others could listen', async () => {
    const { chain } = await openRoutes({ caller: {} });
    const sending = chain.send({ id: 'x', password: 'secret' });
    await expect(sending).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    const { chain: confidential } = await openRoutes();
    const next = (await confidential.send({ id: 'x', password: 'secret' })).next();
    await expect(next).rejects.toMatchObject({ data: { code: 'BAD_REQUEST' } });
  });
});

it('a node has to do with Bittensor when it has an axon, or a folder of wallets was set', () => {
  const uses = (axon: object, bittensor: object) =>
    usesBittensor({ config: { bittensor }, settings: { follow: () => ({ now: axon }) } } as unknown as Core);
  expect(uses({ enabled: false }, {})).toBe(false);
  expect([uses({ enabled: true }, {}), uses({ wallet: 'main' }, {}), uses({}, { walletFolder: '/w' })]).toEqual([
    ...[true, true, true],
  ]);
});
