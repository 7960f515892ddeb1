import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { frameOf } from '../../../../src-main/bench/hostile/speech.ts';
import type { InferenceMessage } from '../../../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../../../src-main/mesh/inference/messages.ts';
import { BanList } from '../../../../src-main/mesh/transport/guards/ban-list.ts';
import { MeshNetwork } from '../../../../src-main/mesh/transport/network.ts';
import { MeshSwarm } from '../../../../src-main/mesh/transport/swarm.ts';
import { callNode } from '../../../support/fuzz/victim.ts';
import { testLog as log, randomIdentity } from '../../../support/mesh-node.ts';
import { until } from '../../../support/until.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../../../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../../../support/memory-swarm.ts')).MemoryDht }));

const ADDRESS = '203.0.113.7';
const CROWD = 60;

let swarm: MeshSwarm;
let network: MeshNetwork<InferenceMessage>;

beforeEach(async () => {
  const limits = { connections: 8, unprovenPerSecond: 1e9, unprovenBurst: 1e9 };
  swarm = new MeshSwarm({ identity: randomIdentity(), bans: new BanList({ log }), limits, log });
  await swarm.open();
  network = new MeshNetwork({ ...INFERENCE_NETWORK, swarm, mode: 'both', describe: () => ({ sides: [] }), log });
  await network.open();
});
afterEach(async () => {
  await network.close();
  await swarm.close();
});

/** Somebody who has connected and said nothing yet. */
const come = (from: string) => callNode(swarm.identity.id, from, [{ ...INFERENCE_NETWORK, topic: network.topic }]);

/** Says hello without having heard what the node sent to the address. */
function sayBlindly(from: string): void {
  const about = { sides: ['client'], models: [], caps: [], client: 'x', echo: '0'.repeat(32) };
  const hello = { v: 2, type: 'hello', ts: Date.now(), ...about };
  come(from)?.send(INFERENCE_NETWORK.name, frameOf(Buffer.from(JSON.stringify(hello))));
}

async function honestOneGetsIn(from: string): Promise<void> {
  const caller = come(from);
  caller?.hello(INFERENCE_NETWORK.name);
  await until(() => expect([...network.peers.keys()]).toContain(caller?.identity.id));
}

it('who has not heard what was sent to him is no peer, and his offences are not those of the address', async () => {
  for (let count = 0; count < CROWD; count++) sayBlindly(ADDRESS);
  await until(() => expect(swarm.refusals.counts()).toEqual({ 'protocol error': CROWD }));
  expect(network.peers.size).toBe(0);
  await honestOneGetsIn(ADDRESS);
});

it('who has shown where he is answers for it', async () => {
  for (let count = 0; count < 7; count++) {
    const caller = come(ADDRESS);
    caller?.hello(INFERENCE_NETWORK.name);
    caller?.send(INFERENCE_NETWORK.name, frameOf(Buffer.from('{}')));
    await until(() => expect(swarm.refusals.counts()).toMatchObject({ 'protocol error': count + 1 }));
  }
  expect(come(ADDRESS)).toBeUndefined();
  expect(swarm.refusals.counts()).toMatchObject({ 'banned host or network': 1 });
});

it('who says nothing holds none of the places', async () => {
  for (let count = 0; count < CROWD; count++) come(`198.51.${count}.1`);
  expect(swarm.connections.size).toBe(CROWD);
  await honestOneGetsIn('198.51.0.1');
});
