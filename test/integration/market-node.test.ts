import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { dataPath } from '../../src-main/base/data-folder.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import { MARKET_PATH } from '../../src-main/subnets/omega/market/wire.ts';
import { freePort } from '../support/free-port.ts';
import { writeKey } from '../support/local-wallets.ts';
import { listedOffer } from '../support/market-sales.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** A whole validator in this process, which is on no mesh and whose chain answers nobody. */
async function openNode(env: Record<string, string>, before: (dataDir: string) => Promise<void> = async () => {}) {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await before(dataDir);
  const wallets = join(folder.path, 'wallets');
  const address = await writeKey(wallets, { wallet: 'main', hotkey: 'default', password: 'not opened for this' });
  const port = await freePort();
  const config = await loadConfig({
    flags: { dataDir, port: 0, role: 'validator' },
    env: {
      BT_WALLET_PATH: wallets,
      QUARRY_BITTENSOR_ENDPOINT: 'ws://127.0.0.1:9',
      QUARRY_VALIDATOR_ENABLED: 'false',
      QUARRY_VALIDATOR_WALLET: 'main',
      QUARRY_MARKET_PORT: String(port),
      ...env,
    },
  });
  const app = await createApp(config, { server: true });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await folder.remove();
  });
  const examined = async () => app.reports.flatMap(({ checks }) => (checks?.market ? [checks.market] : []))[0]?.();
  return { app, contract: createRouterClient(app.contract), address, port, examined, dataDir };
}

it('a node serves a market where that is set, in the name of a hotkey that stays locked', async () => {
  const { contract, address, port, examined } = await openNode({
    QUARRY_MARKET_ENABLED: 'true',
    QUARRY_MARKET_POOL: '2.5',
  });
  const state = await contract.market.state();
  expect(state).toMatchObject({
    running: true,
    market: address,
    port,
    day: { budget: '2250000000', left: '2250000000' },
  });
  const { status } = await fetch(`http://127.0.0.1:${port}${MARKET_PATH}/list`);
  expect(status).toBe(401);
  expect(await contract.market.reviews()).toEqual([]);
  await expect(contract.market.judge({ id: 'a'.repeat(32), accept: true })).rejects.toMatchObject({
    data: { field: 'id' },
  });
  expect(await examined()).toMatchObject({ status: 'warn', found: expect.stringMatching(/Nothing scores/) });
});

it('a person plays what waits, and decides: for sale with a score, or refused with a reason', async () => {
  const [appealed, doubted] = ['a'.repeat(32), 'b'.repeat(32)];
  const video = randomBytes(2_048);
  const waiting = async (dataDir: string) => {
    await mkdir(dataPath(dataDir, 'market'), { recursive: true });
    for (const id of [appealed, doubted]) await writeFile(join(dataPath(dataDir, 'market'), `${id}.webm`), video);
    const db = await openDatabase(dataPath(dataDir, 'database'));
    const scoreCard = { version: 'rules-2', score: 0.9, at: 1, node: 'ab'.repeat(32), signature: 'cd'.repeat(64) };
    const chain = { chunks: 9, startedAt: 1, node: 'ab'.repeat(32), link: 'ef'.repeat(32), signature: 'cd'.repeat(64) };
    const scored = { score: 0.05, reason: 'Nobody is at work.' };
    const proof = JSON.stringify({ scoreCard, chain, scored, appeal: 'See minute 12.' });
    const offer = { state: 'review', price: null, listedAt: null, createdAt: Date.now() } as const;
    await new MarketStore(db).change(async (change) => {
      await change.addOffer(listedOffer(appealed, { ...offer, score: 0.05, proof }));
      await change.addOffer(
        listedOffer(doubted, { ...offer, proof: JSON.stringify({ scoreCard, chain, ownScore: 0.9 }) }),
      );
    });
    await db.destroy();
  };
  const serving = { QUARRY_MARKET_ENABLED: 'true', QUARRY_MARKET_POOL: '2.5' };
  const { app, contract, dataDir } = await openNode(serving, waiting);
  const { market } = contract;
  const reviews = new Map((await market.reviews()).map((review) => [review.id, review]));
  expect(reviews.get(appealed)).toMatchObject({ appeal: 'See minute 12.', score: 0.05, reason: 'Nobody is at work.' });
  expect(reviews.get(doubted)).toMatchObject({ appeal: null, score: 0.5, sellerScore: 0.9, rulesScore: 0.9 });
  const { path } = await market.video({ id: appealed });
  const played = await fetch(`${app.server?.url}${path}`);
  expect([played.status, Buffer.from(await played.arrayBuffer()).equals(video)]).toEqual([200, true]);
  for (const [word, field] of [
    [{ id: appealed, accept: true }, 'score'],
    [{ id: appealed, accept: true, score: 0.05 }, 'score'],
  ] as const) {
    await expect(market.judge(word)).rejects.toMatchObject({ data: { field } });
  }
  await expect(market.judge({ id: appealed, accept: false })).rejects.toThrow();
  const typed = async (...args: string[]) => {
    const command = new QuarryProcess(['focus', 'market', ...args, '--data', dataDir]);
    return { code: await command.ended(), out: command.stdout, err: command.stderr };
  };
  expect((await typed('reviews')).out).toMatch(/market +0\.05\. Nobody is at work\.[\s\S]*appeal +See minute 12\./);
  expect(await typed('judge', 'aaaa')).toMatchObject({ code: 1, err: expect.stringContaining('--refuse') });
  expect(await typed('judge', 'aaaa', '--accept', '--score', '0.6')).toMatchObject({ code: 0 });
  await market.judge({ id: doubted, accept: false, reason: 'A film.' });
  expect((await market.state()).offers).toEqual({ submitted: 1, rejected: 1 });
  expect(await market.reviews()).toEqual([]);
  await expect(market.video({ id: appealed })).rejects.toMatchObject({ data: { field: 'id' } });
});

it('it is opened and closed by its setting, at once', async () => {
  const { app, contract, port } = await openNode({ QUARRY_MARKET_POOL: '1' });
  expect(await contract.market.state()).toMatchObject({ running: false, port: null });
  await expect(contract.market.reviews()).rejects.toThrow(/serves no market/);
  await app.settings.set({ changes: { 'market.enabled': true } });
  await until(async () => expect(await contract.market.state()).toMatchObject({ running: true, port }));
  await app.settings.set({ changes: { 'market.enabled': false } });
  await until(async () => expect(await contract.market.state()).toMatchObject({ running: false }));
  await expect(fetch(`http://127.0.0.1:${port}${MARKET_PATH}/list`)).rejects.toThrow();
});

it('without knowing what miners get it is not opened, and says what to do', async () => {
  const { contract, examined } = await openNode({ QUARRY_MARKET_ENABLED: 'true' });
  expect(await contract.market.state()).toMatchObject({ running: false, error: { code: 'CONFIG_INVALID' } });
  expect(await examined()).toMatchObject({ status: 'fail', found: expect.stringMatching(/what miners get/) });
});
