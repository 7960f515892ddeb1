import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Address } from 'hyperdht';
import createTestnet from 'hyperdht/testnet.js';
import { afterEach, describe, expect, it } from 'vitest';
import { examine } from '../../src-main/hardware/doctor/doctor.ts';
import { checkNetwork, type DhtNode } from '../../src-main/hardware/doctor/network.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const task of cleanUp.splice(0).reverse()) await task();
});

async function openTestnet(size: number): Promise<Address[]> {
  const testnet = await createTestnet(size);
  cleanUp.push(() => testnet.destroy());
  return testnet.bootstrap;
}

/** A UDP port that swallows everything, as a firewall does. */
async function silentPort(): Promise<Address> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanUp.push(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { host: '127.0.0.1', port: socket.address().port };
}

/** A DHT node behind a router that shows each of its peers the address that `seenBy` says. */
function nodeBehindRouter(seenBy: (peer: Address) => Address): DhtNode & { destroyed: boolean } {
  return {
    destroyed: false,
    firewalled: true,
    fullyBootstrapped: async () => {},
    remoteAddress: () => null,
    toArray: () => [4_001, 4_002, 4_003].map((port) => ({ host: '127.0.0.1', port })),
    ping: async (peer) => ({ to: seenBy(peer) }),
    async destroy() {
      this.destroyed = true;
    },
  };
}

describe('checkNetwork', () => {
  it('finds that UDP gets through and that no router is in between', async () => {
    const bootstrap = await openTestnet(3);
    const result = await checkNetwork({ bootstrap, timeoutMs: PATIENCE_MS });
    expect(result).toMatchObject({ name: 'network', status: 'ok' });
    expect(result.found).toMatch(/UDP gets through \(3 nodes answered\).*open.*127\.0\.0\.1:\d+/);
  });

  it('is content with a bootstrap node alone', async () => {
    const bootstrap = await openTestnet(1);
    expect(await checkNetwork({ bootstrap, timeoutMs: PATIENCE_MS })).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/1 node answered/),
    });
  });

  it('fails when nobody answers, and says whom it asked', async () => {
    const dead = await silentPort();
    const result = await checkNetwork({ bootstrap: [dead], timeoutMs: 800 });
    expect(result).toMatchObject({ status: 'fail', advice: expect.stringMatching(/quarry bootstrap/) });
    expect(result.found).toContain(`127.0.0.1:${dead.port}`);
  });

  it('waits for no answer longer than it may, though the DHT would wait for ever', async () => {
    const never = () => new Promise<never>(() => {});
    const node = { ...nodeBehindRouter(() => ({ host: '203.0.113.9', port: 40_000 })), fullyBootstrapped: never };
    const silent = { ...node, ping: never };
    expect(await checkNetwork({ bootstrap: [], timeoutMs: 50, createDht: () => silent })).toMatchObject({
      status: 'fail',
    });
    expect(silent.destroyed).toBe(true);
  });

  it('fails when strangers answer but none of the nodes it was to meet the mesh through', async () => {
    const dead = await silentPort();
    const node = nodeBehindRouter(() => ({ host: '203.0.113.9', port: 40_000 }));
    const answer = node.ping;
    node.ping = (peer) => (peer.port === dead.port ? Promise.reject(new Error('timed out')) : answer(peer));
    expect(await checkNetwork({ bootstrap: [dead], createDht: () => node })).toMatchObject({ status: 'fail' });
  });

  it('fails for a bootstrap name that does not exist', async () => {
    const bootstrap = [{ host: 'no-such-host.invalid', port: 49_737 }];
    expect((await checkNetwork({ bootstrap, timeoutMs: 3_000 })).status).toBe('fail');
  });

  it('calls one address for all peers a consistent NAT', async () => {
    const createDht = () => nodeBehindRouter(() => ({ host: '203.0.113.9', port: 40_000 }));
    expect(await checkNetwork({ bootstrap: [], createDht })).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/3 nodes answered.*consistent NAT.*203\.0\.113\.9:40000/),
    });
  });

  it('warns of a NAT that shows every peer another address, and ends its node', async () => {
    const node = nodeBehindRouter(({ port }) => ({ host: '203.0.113.9', port: port + 30_000 }));
    const result = await checkNetwork({ bootstrap: [], createDht: () => node });
    expect(result).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/symmetric/),
      advice: expect.any(String),
    });
    expect(node.destroyed).toBe(true);
  });
});

describe('examine', () => {
  const options = {
    version: '0.1.0',
    dataDir: tmpdir(),
    gpuLayers: -1,
    models: async () => [{ name: 'tiny', tiny: true }],
    host: '127.0.0.1',
    port: 0,
    clock: {},
  };

  it('makes every check and gives advice with every problem', async () => {
    const report = await examine({ ...options, bootstrap: await openTestnet(2) });
    expect(report.healthy).toBe(true);
    expect(report.checks.map(({ name }) => name)).toEqual([
      'versions',
      'gpu',
      'model',
      'disk',
      'data folder',
      'port',
      'clock',
      'network',
    ]);
    for (const { status, found, advice } of report.checks) {
      expect(found).toMatch(/\.$/);
      if (status === 'warn' || status === 'fail') expect(advice).toMatch(/\.$|FILE$/);
    }
  });

  it('is not healthy when one check fails, and goes on when one breaks', async () => {
    const models = () => Promise.reject(new Error('the folder is gone'));
    const report = await examine({ ...options, models, bootstrap: await openTestnet(1) });
    expect(report.healthy).toBe(false);
    expect(report.checks.filter(({ status }) => status === 'fail')).toMatchObject([
      { name: 'model', status: 'fail', found: 'This check could not be made: the folder is gone.' },
    ]);
  });
});
