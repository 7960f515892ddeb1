import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { openNetwork, openSwarm, peerOf } from '../support/mesh-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';

let testnet: Testnet;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  testnet = await openTestnet();
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(() => testnet.close());

async function join(mode: 'server' | 'client', now = Date.now) {
  const swarm = await openSwarm({ bootstrap: testnet.bootstrap, now });
  open.push(swarm);
  const network = await openNetwork(swarm, INFERENCE_NETWORK, mode);
  open.push(network);
  return network;
}

it('each side knows how far the other’s clock is ahead of its own', async () => {
  const worker = await join('server', () => Date.now() + 90_000);
  const client = await join('client');
  const [seenByClient, seenByWorker] = await Promise.all([peerOf(client), peerOf(worker)]);
  expect(Math.abs(seenByClient.clockOffsetMs - 90_000)).toBeLessThan(45_000);
  expect(Math.abs(seenByWorker.clockOffsetMs + 90_000)).toBeLessThan(45_000);
});
