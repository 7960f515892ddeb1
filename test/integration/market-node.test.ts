import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { MARKET_PATH } from '../../src-main/subnets/omega/market/wire.ts';
import { freePort } from '../support/free-port.ts';
import { writeKey } from '../support/local-wallets.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** A whole validator in this process, which is on no mesh and whose chain answers nobody. */
async function openNode(env: Record<string, string>) {
  const folder = await temporaryFolder();
  const wallets = join(folder.path, 'wallets');
  const address = await writeKey(wallets, { wallet: 'main', hotkey: 'default', password: 'not opened for this' });
  const port = await freePort();
  const config = await loadConfig({
    flags: { dataDir: join(folder.path, 'data'), port: 0, role: 'validator' },
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
  return { app, contract: createRouterClient(app.contract), address, port, examined };
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
