import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import HyperDHT from 'hyperdht';
import Hyperswarm from 'hyperswarm';
import { afterEach, expect, it } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { BootstrapNode } from '../../src-main/mesh/transport/bootstrap.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});

async function bootstrapNode(port: number): Promise<BootstrapNode> {
  const node = new BootstrapNode({ port });
  open.push(node);
  await node.open();
  return node;
}

function swarm(bootstrap: BootstrapNode): Hyperswarm {
  const node = new Hyperswarm({ dht: new HyperDHT({ bootstrap: [bootstrap.address], host: '127.0.0.1' }) });
  node.on('connection', (stream) => stream.on('error', ignoring('resets at the end are no news')));
  open.push({ close: () => node.destroy() });
  return node;
}

it('lets two nodes that know only its address find each other', async () => {
  const bootstrap = await bootstrapNode(0);
  const topic = randomBytes(32);
  const [first, second] = [swarm(bootstrap), swarm(bootstrap)];
  await first.join(topic, { server: true, client: false }).flushed();
  const met = Promise.all([once(first, 'connection'), once(second, 'connection')]);
  second.join(topic, { server: false, client: true });
  const [[incoming], [outgoing]] = await met;
  expect(incoming.remotePublicKey).toEqual(outgoing.publicKey);
});

it('says which ports are taken', async () => {
  const { port } = (await bootstrapNode(0)).address;
  const second = new BootstrapNode({ port });
  await expect(second.open()).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: expect.stringContaining(`${port}`),
  });
  await second.close();
});
