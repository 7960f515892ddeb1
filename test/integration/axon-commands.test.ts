import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AxonNode, openAxonNode } from '../support/axon-node.ts';
import { SHEET_KEY } from '../support/bittensor-key.ts';
import { freePort } from '../support/free-port.ts';
import { quarry } from '../support/quarry-process.ts';

let node: AxonNode;
beforeAll(async () => {
  node = await openAxonNode();
});
afterAll(() => node?.[Symbol.asyncDispose]());

/** Runs `quarry axon` against the node. */
async function axon(...args: string[]) {
  const { dataDir, bittensor } = node.miner.config;
  const env = { BT_WALLET_PATH: bittensor.walletFolder ?? '', BT_WALLET_NAME: 'main' };
  const { child, stdout, stderr } = await quarry(['axon', ...args, '--data', dataDir], env);
  return { code: child.exitCode, stdout, stderr };
}

describe('quarry axon', () => {
  it('tells how the axon stands, opens it and closes it', async () => {
    expect(await axon()).toMatchObject({ code: 0, stdout: expect.stringContaining('quarry axon start') });
    const started = await axon('start');
    expect(started.stdout).toContain(SHEET_KEY.address);
    expect(started.stdout).toMatch(/Outside +not known/);
    const { stdout } = await axon('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ running: true, port: node.place.port, reach: { status: 'fail' } });
    expect((await axon('stop')).stdout).toBe('Stopped.\n');
    expect((await axon('stop')).stdout).toBe('The axon was not open.\n');
  });

  it('opens it for the hotkey and subnet that are named, and keeps them', async () => {
    const missing = await axon('start', '--hotkey', 'none', '--netuid', '7');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no hotkey «none»') });
    expect(await node.contract.axon.state()).toMatchObject({ running: false, netuid: null });

    await node.contract.axon.start();
    const named = await axon('start', '--wallet', 'main', '--hotkey', 'default', '--netuid', '7');
    expect(named.stdout).toMatch(/Subnet +7/);
    const { settings } = await node.contract.settings.list();
    const kept = settings.filter(({ path }) => ['axon.netuid', 'axon.enabled'].includes(path));
    expect(kept).toMatchObject([
      { value: true, origin: 'app' },
      { value: 7, origin: 'app' },
    ]);
    expect(await axon('start')).toMatchObject({ code: 0, stdout: expect.stringMatching(/Subnet +7/) });
    await axon('stop');
    await node.contract.settings.set({ changes: { 'axon.netuid': null } });
  });

  it('asks the own axon, streamed and whole, and says what came of it', async () => {
    await node.contract.axon.start();
    const streamed = await axon('ask', 'me', 'Hello', '--max-tokens', '8', '--temperature', '0');
    expect(streamed).toMatchObject({ code: 0, stderr: expect.stringContaining('200 in') });
    const whole = await axon('ask', 'me', 'Hello', '--max-tokens', '8', '--temperature', '0', '--whole', '--json');
    expect(JSON.parse(whole.stdout)).toMatchObject({ axon: node.place, status: 200, text: streamed.stdout.trimEnd() });
  });

  it('says what a refusal means, and fails', async () => {
    const other = `${node.place.hotkey}@127.0.0.1:${await freePort()}`;
    expect(await axon('ask', other, 'Hello')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/503 .*\n.*busy/),
    });
    const wrong = `5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY@127.0.0.1:${node.place.port}`;
    expect(await axon('ask', wrong, 'Hello')).toMatchObject({ code: 1, stderr: expect.stringContaining('401') });
    const missing = await axon('ask', 'me', 'Hello', '--hotkey', 'none');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no hotkey «none»') });
    expect(await axon('ask', 'there', 'Hello')).toMatchObject({ code: 1, stderr: expect.stringContaining('no axon') });
    expect(await axon('ask', node.place.hotkey, 'Hello')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--netuid'),
    });
  });

  it('has nothing to tell where no miner runs', async () => {
    const { dataDir } = node.miner.config;
    const { child, stderr } = await quarry(['axon', '--data', `${dataDir}-none`]);
    expect([child.exitCode, stderr]).toEqual([1, expect.stringContaining('none runs')]);
  });
});
