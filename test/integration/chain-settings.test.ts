import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

/** Nobody answers there. */
const NOWHERE = 'ws://127.0.0.1:9';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder?.remove());

const chain = (args: string[], env: Record<string, string>) =>
  quarry(['chain', ...args, '--data', join(folder.path, 'node')], env);

describe('quarry chain, for who comes from btcli', () => {
  it('is on the chain that btcli’s file names', async () => {
    await mkdir(join(folder.path, '.bittensor'));
    await writeFile(
      join(folder.path, '.bittensor', 'config.yml'),
      `network: ${NOWHERE}\nwallet_path: ${folder.path}/keys\n`,
    );
    const env = { HOME: folder.path, BTCLI_CONFIG_PATH: '' };
    expect((await chain([], env)).stdout).toContain(NOWHERE);
    const { stdout } = await quarry(['wallet', '--data', join(folder.path, 'node')], env);
    expect(stdout).toContain(join(folder.path, 'keys'));
  });

  it('says what it does not know, and goes on', async () => {
    const { stdout, stderr } = await chain([], { BT_SUBTENSOR_NETWORK: 'rao', QUARRY_BITTENSOR_ENDPOINT: NOWHERE });
    expect(stdout).toContain('finney');
    expect(stderr).toContain('BT_SUBTENSOR_NETWORK names the network «rao»');
  });

  it.each(['archive', 'wss://node.example.org'])('says how --network %s is meant here', async (network) => {
    const { child, stderr } = await chain(['--network', network], {});
    expect(child.exitCode).not.toBe(0);
    expect(stderr).toContain('--endpoint wss://');
  });

  it('says whose address is missing where there are hotkeys alone', async () => {
    const wallets = join(folder.path, 'wallets');
    await writeKey(wallets, { wallet: 'worker', hotkey: 'default' });
    const env = { BT_WALLET_PATH: wallets, QUARRY_BITTENSOR_ENDPOINT: NOWHERE };
    for (const who of [[], ['worker']]) {
      const { child, stderr } = await chain(['balance', ...who], env);
      expect(child.exitCode).toBe(1);
      expect(stderr).toMatch(/coldkey of worker is not on this computer[\s\S]*quarry wallet public worker --address/);
    }
    const { stderr } = await chain(['register', '3'], env);
    expect(stderr).toContain('cannot be reached'); // and not that there is no wallet
  });

  it('does not ask a running node of another chain than the environment names', async () => {
    const node = new QuarryProcess(
      ['start', '--headless', '--role', 'client', '--port', '0', '--data', join(folder.path, 'node')],
      { QUARRY_BITTENSOR_ENDPOINT: NOWHERE },
    );
    try {
      await node.printed(/screens\s+(\S+)/);
      const { child, stderr } = await chain(['balance'], { BT_SUBTENSOR_NETWORK: 'test' });
      expect(child.exitCode).toBe(1);
      expect(stderr).toMatch(/is on finney[\s\S]*Here test is wanted/);
      expect((await chain(['calls'], {})).child.exitCode).toBe(0);
    } finally {
      await node.stop();
    }
  });
});
