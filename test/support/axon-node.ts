import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import type { App } from '../../src-main/app/app.ts';
import { createApp } from '../../src-main/app/create-app.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import type { AxonPlace } from '../../src-main/bittensor/dendrite/dendrite.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { SHEET_KEY } from './bittensor-key.ts';
import { freePort } from './free-port.ts';
import { TEST_MESH } from './mesh-name.ts';
import { ownToken, temporaryFolder } from './quarry-process.ts';
import { openTestnet } from './testnet.ts';

/** A whole miner in this process, of a model that never ends an answer by itself, with a wallet whose hotkey is the sheet's. */
export interface AxonNode extends AsyncDisposable {
  miner: App;
  /** By which programs of its owner's account use it. */
  token: string;
  /** The contract of {@link miner}. */
  contract: ReturnType<typeof contractOf>;
  /** Ends the miner, and opens it again with what was set. @returns its contract */
  restart(): Promise<ReturnType<typeof contractOf>>;
  place: AxonPlace;
  /** Opens a client of its mesh. @param role of it. Default: client */
  client(role?: 'client' | 'validator'): Promise<App>;
}

const contractOf = (app: App) => createRouterClient(app.contract);

/** @param env settings of the miner, over those that it needs */
export async function openAxonNode(env: Record<string, string> = {}): Promise<AxonNode> {
  await using opening = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  opening.defer(() => folder.remove());
  const testnet = await openTestnet();
  opening.defer(() => testnet.close());
  const model = join(folder.path, 'endless.gguf');
  await writeRandomModel(model, TINY_QWEN3, 1);
  const wallets = join(folder.path, 'wallets');
  await mkdir(join(wallets, 'main', 'hotkeys'), { recursive: true, mode: 0o700 });
  const key = JSON.stringify({ secretSeed: `0x${SHEET_KEY.seed}`, ss58Address: SHEET_KEY.address });
  await writeFile(join(wallets, 'main', 'hotkeys', 'default'), key, { mode: 0o600 });
  const port = await freePort();
  const bootstrap = testnet.bootstrap.map((node) => `${node.host}:${node.port}`);
  const config = (name: string, flags: { model?: string; role?: string }) =>
    loadConfig({
      flags: { dataDir: join(folder.path, name), bootstrap, 'mesh.name': TEST_MESH.name, port: 0, ...flags },
      env: {
        QUARRY_THREADS: '1',
        QUARRY_CONTEXT_SIZE: '4096',
        QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
        QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '1000',
        BT_WALLET_PATH: wallets,
        BT_WALLET_NAME: 'main',
        BT_AXON_PORT: String(port),
        QUARRY_AXON_HOST: '127.0.0.1',
        QUARRY_AXON_CALLERS: 'anyone',
        QUARRY_BITTENSOR_ENDPOINT: 'ws://127.0.0.1:9', // nobody is there
        QUARRY_AXON_OPEN_ROUTER: 'false',
        ...env,
      },
    });
  const parts = { engine: true, mesh: true, worker: true, server: true };
  const miner = opening.use(await createApp(config('miner', { model }), parts));
  await miner.mining?.switch.start();
  const opened = opening.move();
  return {
    miner,
    token: await ownToken(join(folder.path, 'miner')),
    contract: contractOf(miner),
    place: { ip: '127.0.0.1', port, hotkey: SHEET_KEY.address },
    async restart() {
      await miner[Symbol.asyncDispose]();
      return contractOf(opened.use(await createApp(config('miner', { model }), parts)));
    },
    client: async (role = 'client') => opened.use(await createApp(config(role, { role }), { mesh: true })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
