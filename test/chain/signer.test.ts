import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chain } from '../../src-main/bittensor/chain/chain.ts';
import { networkOf } from '../../src-main/bittensor/chain/networks.ts';
import { SignerClient } from '../../src-main/bittensor/signer-service/signer-client.ts';
import { isTimeToSet } from '../../src-main/bittensor/weights/time-to-set.ts';
import { WeightSetter } from '../../src-main/bittensor/weights/weight-setter.ts';
import { raoOf } from '../../src-preload/contract/rao.ts';
import { LocalSubtensor, NETUID, SPEC } from '../support/local-subtensor.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'a long enough password';
const TEMPO = 8;

describe.skipIf(!SPEC)('a validator whose hotkey a signer holds, on a real subtensor', () => {
  let node: LocalSubtensor;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let signer: QuarryProcess;
  let client: SignerClient;
  let chain: Chain;
  let hotkey: string;

  const quarry = (args: string[], data: string) =>
    new QuarryProcess([...args, '--data', join(folder.path, data)], {
      ...{ BT_WALLET_PATH: join(folder.path, 'wallets'), BT_SUBTENSOR_CHAIN_ENDPOINT: node.url },
      ...{ QUARRY_BITTENSOR_NETWORK: 'local', QUARRY_DEBUG: '1' },
    });

  beforeAll(async () => {
    folder = await temporaryFolder();
    const coldkey = await writeKey(join(folder.path, 'wallets'), { wallet: 'main', password: PASSWORD });
    hotkey = await writeKey(join(folder.path, 'wallets'), { wallet: 'main', hotkey: 'default' });
    node = await LocalSubtensor.start();
    await node.fund(coldkey, raoOf('100'));
    await node.store('u64', 3, 'subtensorModule', 'weightsSetRateLimit', NETUID);
    await node.store('u16', TEMPO, 'subtensorModule', 'tempo', NETUID);
    await node.blocks(1);
    const netuid = String(NETUID);
    const register = quarry(['chain', 'register', netuid, '--wallet', 'main', '--yes', '--typed', netuid], 'node');
    register.child.stdin?.end(`${PASSWORD}\n`);
    expect([await node.outcome(register.ended()), register.stderr]).toEqual([0, expect.anything()]);
    const args = ['validator', 'signer', '--wallet', 'main', '--netuid', netuid, '--listen', '127.0.0.1:0'];
    signer = quarry(args, 'signer');
    const [, url = ''] = await signer.printed(/ at (http\S+)/);
    const token = (await readFile(join(folder.path, 'signer', 'signer.token'), 'utf8')).trim();
    client = new SignerClient({ url, token });
    chain = new Chain({ network: networkOf('local', node.url), log: pino({ level: 'silent' }) });
    chain.open();
  }, 600_000);

  afterAll(async () => {
    await client?.close();
    await chain?.close();
    if (signer?.running) await signer.stop();
    await node?.close();
    await folder?.remove();
  });

  it('has weights set when they are due, and then not for an epoch', async () => {
    const setter = new WeightSetter({ chain, sender: client, netuid: NETUID });
    await node.blocks(TEMPO + 1);
    await until(async () => expect(await setter.due()).toMatchObject({ hotkey, tempo: TEMPO, blocksToWait: 0 }));
    const { uid } = await setter.due();
    const metagraph = await chain.metagraph(NETUID);
    const other = metagraph!.neurons.find((neuron) => neuron.uid !== uid)!;
    const shares = new Map([
      [hotkey, 0.5],
      [other.hotkey, 0.25],
      ['5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty', 0.25],
    ]);
    const sent = await node.outcome(setter.set({ shares }, { wait: true }));
    expect(sent).toMatchObject({
      pending: false,
      block: expect.any(Number),
      leftOut: [expect.stringMatching(/^5FHneW/)],
    });
    const { key } = node.runtime.slot('subtensorModule', 'weights', NETUID, uid)!;
    const stored = await node.rpc.request('state_getStorage', [key]);
    const told = node.runtime.registry.createTypeUnsafe('Vec<(u16,u16)>', [stored as `0x${string}`]).toJSON();
    expect(told).toEqual(sent.uids.map((one, at) => [one, sent.weights[at]]));
    const due = await setter.due();
    expect([due.lastSetBlock, isTimeToSet(due)]).toEqual([sent.block, false]);
    await expect(setter.set({ shares }, { wait: true })).rejects.toMatchObject({ code: 'CHAIN_REFUSED' });
  });
});
