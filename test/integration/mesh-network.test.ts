import { once } from 'node:events';
import Hyperswarm from 'hyperswarm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { InferenceMessage } from '../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { SCORES_NETWORK } from '../../src-main/mesh/scores/score-messages.ts';
import { MODELS_NETWORK } from '../../src-main/mesh/sharing/messages.ts';
import { plain } from '../../src-main/mesh/transport/envelope.ts';
import { BanList } from '../../src-main/mesh/transport/guards/ban-list.ts';
import type { Limits } from '../../src-main/mesh/transport/guards/limits.ts';
import { MAX_ENCRYPTED_MESSAGE } from '../../src-main/mesh/transport/mux.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import {
  openNetwork as openNetworkOn,
  openSwarm as openSwarmOn,
  peerOf,
  randomIdentity,
  type TestSwarmOptions,
  testLog,
} from '../support/mesh-node.ts';
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

async function openSwarm(options: Partial<TestSwarmOptions> = {}): Promise<MeshSwarm> {
  const swarm = await openSwarmOn({ bootstrap: testnet.bootstrap, ...options });
  open.push(swarm);
  return swarm;
}

async function openInference(swarm: MeshSwarm, mode: 'server' | 'client'): Promise<MeshNetwork<InferenceMessage>> {
  const network = await openNetworkOn(swarm, INFERENCE_NETWORK, mode);
  open.push(network);
  return network;
}

/** A worker, and a stranger connected to it who has joined the inference network but said nothing. */
async function victimOf(limits: Partial<Limits> = {}, options: Partial<TestSwarmOptions> = {}) {
  const swarm = await openSwarm({ limits, ...options });
  const network = await openInference(swarm, 'server');
  const stranger = await HostilePeer.connect(testnet.bootstrap, swarm.identity.id);
  open.push({ close: () => stranger.destroy() });
  await stranger.join(INFERENCE_NETWORK, network.topic);
  return { swarm, network, stranger };
}

/** Somebody who has said hello. @throws when it is refused at the handshake */
async function guestOf({ swarm, network }: { swarm: MeshSwarm; network: MeshNetwork<InferenceMessage> }) {
  const peer = await HostilePeer.connect(testnet.bootstrap, swarm.identity.id);
  open.push({ close: () => peer.destroy() });
  await peer.join(INFERENCE_NETWORK, network.topic);
  peer.hello();
  return peer;
}

const cancel: InferenceMessage = { v: 2, type: 'cancel', requestId: 'ab'.repeat(16) };

describe('a network', () => {
  it('may be one that the transport has never heard of', async () => {
    const FOURTH = {
      name: 'qmesh-greetings-v2',
      schema: plain('greeting', { words: z.string().max(99) }),
      maxFrame: 1_024,
    };
    const [host, guest] = [await openSwarm(), await openSwarm()];
    const networks = [
      await openNetworkOn(host, FOURTH, 'server'),
      await openNetworkOn(guest, FOURTH, 'client'),
    ] as const;
    open.push(...networks);
    const [seenByHost, seenByGuest] = await Promise.all([peerOf(networks[0]), peerOf(networks[1])]);
    const heard = once(seenByHost, 'message');
    seenByGuest.send({ v: 2, type: 'greeting', words: 'hello' });
    expect(await heard).toEqual([{ v: 2, type: 'greeting', words: 'hello' }]);
  });

  it('finds its nodes, and each says hello with its key', async () => {
    const worker = await openInference(await openSwarm(), 'server');
    const client = await openInference(await openSwarm(), 'client');
    const [seenByClient, seenByWorker] = await Promise.all([peerOf(client), peerOf(worker)]);
    expect(seenByClient.id).toBe(worker.swarm.identity.id);
    expect(seenByClient.sides).toEqual(['worker']);
    expect(seenByWorker.id).toBe(client.swarm.identity.id);
  });

  it('knows a validator by its abilities, ignores those that it does not know, and takes no side that it does not know', async () => {
    const { network, stranger } = await victimOf();
    stranger.hello({ caps: ['validator', 'something-new'] });
    expect(await peerOf(network)).toMatchObject({ sides: ['client'], isValidator: true });
    const other = await victimOf();
    other.stranger.hello({ sides: ['validator' as 'client'] });
    await expect.poll(() => other.network.swarm.refusals.counts()).toMatchObject({ 'protocol error': 1 });
    expect(other.network.peers.size).toBe(0);
  });

  it('finds a node that started at the same moment', async () => {
    const swarms = await Promise.all([openSwarm(), openSwarm()]);
    const networks = await Promise.all(swarms.map((swarm) => openNetworkOn(swarm, SCORES_NETWORK, 'both')));
    open.push(...networks);
    await Promise.all(networks.map((network) => peerOf(network)));
  });

  it('carries messages and measures the way', async () => {
    const worker = await openInference(await openSwarm({ limits: { pingIntervalMs: 20 } }), 'server');
    const client = await openInference(await openSwarm(), 'client');
    const [toWorker, fromClient] = await Promise.all([peerOf(client), peerOf(worker)]);
    const got = once(fromClient, 'message');
    toWorker.send(cancel);
    expect(await got).toEqual([cancel]);
    await expect.poll(() => toWorker.rttMs).toBeTypeOf('number');
  });

  it('shares one connection with the other networks of the same node', async () => {
    const nodes = await Promise.all([openSwarm(), openSwarm()]);
    for (const swarm of nodes) {
      open.push(await openNetworkOn(swarm, INFERENCE_NETWORK, 'both'));
      open.push(await openNetworkOn(swarm, SCORES_NETWORK, 'both'));
      open.push(await openNetworkOn(swarm, MODELS_NETWORK, 'both'));
    }
    for (const network of open) if (network instanceof MeshNetwork) await peerOf(network);
    // Where each has called the other, one of the two connections ends.
    await expect.poll(() => nodes.map((swarm) => swarm.connections.size)).toEqual([1, 1]);
  });

  it('reaches a node that did not announce itself, by its id', async () => {
    const listener = await openInference(await openSwarm(), 'server');
    const caller = await openNetworkOn(await openSwarm(), MODELS_NETWORK, 'both');
    open.push(caller);
    const models = await openNetworkOn(listener.swarm, MODELS_NETWORK, 'client');
    open.push(models);
    caller.joinPeer(listener.swarm.identity.id);
    expect((await peerOf(caller)).id).toBe(listener.swarm.identity.id);
  });

  it('tells that a node left', async () => {
    const worker = await openInference(await openSwarm(), 'server');
    const client = await openInference(await openSwarm(), 'client');
    const peer = await peerOf(client);
    const left = once(peer, 'close');
    await worker.swarm.close();
    await left;
    expect(client.peers.size).toBe(0);
  });

  it('opens and closes where there is no network', async () => {
    const swarm = await openSwarmOn({ bootstrap: [{ host: '127.0.0.1', port: 9 }] });
    const network = new MeshNetwork({
      ...INFERENCE_NETWORK,
      swarm,
      mode: 'both',
      describe: () => ({ sides: [] }),
      log: testLog,
    });
    await network.open();
    await network.close();
    await swarm.close();
  });

  it('takes leave of the DHT no longer than it may, though that would never end', async () => {
    const swarm = await openSwarm();
    const never = () => new Promise<never>(() => {});
    const joined = vi.spyOn(Hyperswarm.prototype, 'join');
    joined.mockReturnValue({ flushed: never, refresh: never, destroy: never });
    const describe = () => ({ sides: [] });
    const network = new MeshNetwork({ ...INFERENCE_NETWORK, swarm, mode: 'client', describe, log: testLog });
    await network.open();
    joined.mockRestore();
    await network.close();
  });

  it('frees its socket although its leave of the DHT fails, and says so', async () => {
    const swarm = await openSwarmOn({ bootstrap: testnet.bootstrap });
    vi.spyOn(Hyperswarm.prototype, 'destroy').mockRejectedValueOnce(new Error('it is stuck'));
    await expect(swarm.close()).rejects.toThrow('it is stuck');
    expect(swarm.dht).toMatchObject({ destroyed: true });
  });

  it('leaves no socket, timer or handle behind', async () => {
    const before = process.getActiveResourcesInfo().length;
    const worker = await openInference(await openSwarm(), 'server');
    const client = await openInference(await openSwarm(), 'client');
    await peerOf(client);
    for (const network of [worker, client]) {
      await network.close();
      await network.swarm.close();
    }
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

describe('a private mesh', () => {
  it('lets in who knows the secret', async () => {
    const mesh = { name: 'office', secret: 'correct horse' };
    const worker = await openInference(await openSwarm({ mesh }), 'server');
    const client = await openInference(await openSwarm({ mesh }), 'client');
    expect((await peerOf(client)).id).toBe(worker.swarm.identity.id);
  });

  it('meets elsewhere than a mesh with another name or secret', async () => {
    const topics = await Promise.all(
      [{}, { name: 'a' }, { name: 'a', secret: 's' }, { name: 'a', secret: 't' }].map(async (mesh) => {
        const swarm = await openSwarm({ mesh });
        return swarm.keys.topic('qmesh-inference-v2').toString('hex');
      }),
    );
    expect(new Set(topics).size).toBe(4);
  });

  it('turns away who learnt the topic but not the secret', async () => {
    const { stranger, network, swarm } = await victimOf({}, { mesh: { name: 'office', secret: 'correct horse' } });
    stranger.hello({ proof: 'f'.repeat(64) });
    await stranger.closed;
    expect(network.peers.size).toBe(0);
    expect(swarm.refusals.counts()).toEqual({ 'wrong proof': 1 });
  });
});

describe('a hostile peer', () => {
  const offences: [string, (stranger: HostilePeer) => void, string][] = [
    ['says nothing', () => {}, 'no hello'],
    ['does not hear what is sent to it', (peer) => peer.hello({ echo: '0'.repeat(32) }), 'protocol error'],
    [
      'announces a frame over the cap',
      (peer) => peer.sendBytes(Buffer.from([0x7f, 0xff, 0xff, 0xff])),
      'protocol error',
    ],
    ['sends no JSON', (peer) => peer.sendBytes(Buffer.from('\0\0\0\x03{a}')), 'protocol error'],
    ['sends JSON that nests too deep', (peer) => peer.send(deep(1_000)), 'protocol error'],
    ['starts with something else than hello', (peer) => peer.send(cancel), 'protocol error'],
    ['speaks another version', (peer) => peer.hello({ v: 3 }), 'other protocol version'],
    ['sends a message with unknown fields', (peer) => afterHello(peer, { ...cancel, extra: 1 }), 'protocol error'],
    [
      'sends a message of another network',
      (peer) => afterHello(peer, { v: 2, type: 'score-update' }),
      'protocol error',
    ],
    ['says hello twice', (peer) => afterHello(peer, { v: 2, type: 'hello' }), 'protocol error'],
    ['floods with frames', (peer) => flood(peer, 500, cancel), 'too many frames'],
    ['floods with bytes', (peer) => flood(peer, 40, { v: 2, type: 'ping', nonce: 1, pad: 'x'.repeat(60_000) }), ''],
  ];

  it.each(offences)('that %s is dropped, and it is counted', async (_, attack, reason) => {
    const limits = {
      ...(reason === 'no hello' && { helloTimeoutMs: 2_000 }), // a busy machine needs its time to join, too
      frameBurst: 100,
      framesPerSecond: 10,
      byteBurst: 1 << 20,
      bytesPerSecond: 1e4,
    };
    const { stranger, network, swarm } = await victimOf(limits);
    attack(stranger);
    await stranger.closed;
    await expect.poll(() => network.peers.size).toBe(0);
    expect(Object.keys(swarm.refusals.counts()).join()).toContain(reason);
  });

  it('that opens channels without end is dropped', async () => {
    const { stranger, swarm } = await victimOf({ openBurst: 50, opensPerSecond: 1 });
    for (let number = 0; number < 100; number++) stranger.openChannel(`x${number}`);
    await stranger.closed;
    expect(swarm.refusals.counts()).toEqual({ 'too many frames': 1 });
  });

  it('that sends one huge encrypted message is dropped before it is whole', async () => {
    const { stranger, swarm } = await victimOf();
    stranger.stream.write(Buffer.alloc(MAX_ENCRYPTED_MESSAGE + 1_000_000));
    await stranger.closed;
    expect(swarm.refusals.counts()).toEqual({ 'too many bytes': 1 });
  });

  it('that nests batches without end cannot end the process', async () => {
    const { stranger, swarm, network } = await victimOf();
    const greeted = once(network, 'peer');
    stranger.hello();
    await greeted;
    stranger.stream.write(nestedBatch(20_000));
    await stranger.closed;
    expect(swarm.refusals.counts()).toEqual({ 'protocol error': 1 });
  });

  it('that says more than a hello before it says hello is not read on', async () => {
    const { stranger, swarm } = await victimOf({ helloTimeoutMs: 60_000 });
    for (let count = 0; count < 20; count++) stranger.stream.write(Buffer.alloc(1_024, 0x63));
    await stranger.closed;
    expect(swarm.refusals.counts()).toEqual({ 'too many bytes': 1 });
  });

  it('that fills a batch with nothing is not read on', async () => {
    const { stranger, swarm, network } = await victimOf();
    const greeted = once(network, 'peer');
    stranger.hello();
    await greeted;
    stranger.stream.write(Buffer.concat([Buffer.from([0, 0, 99]), Buffer.alloc(20_000, Buffer.from([1, 0]))]));
    await stranger.closed;
    expect(swarm.refusals.counts()).toEqual({ 'too many frames': 1 });
  });

  it('that answers no ping counts as gone', async () => {
    const { stranger, network } = await victimOf({ pingIntervalMs: 20, silenceMs: 100 });
    const left = once(network, 'leave');
    stranger.hello();
    expect((await left)[1]).toBe('silent');
  });

  it('is banned after enough offences, and refused from then on', async () => {
    const { swarm, network } = await victimOf();
    const identity = randomIdentity();
    for (let round = 0; round < 2; round++) {
      const peer = await HostilePeer.connect(testnet.bootstrap, swarm.identity.id, identity);
      await peer.join(INFERENCE_NETWORK, network.topic);
      peer.sendBytes(Buffer.from([0xff, 0xff, 0xff, 0xff]));
      await peer.closed;
      await peer.destroy();
    }
    expect(swarm.bans.find(identity.id)?.reason).toBe('protocol error');
    await expect(HostilePeer.connect(testnet.bootstrap, swarm.identity.id, identity)).rejects.toThrow();
    expect(swarm.refusals.counts()).toMatchObject({ banned: expect.any(Number) });
  });

  it('may come back when its ban ran out', async () => {
    let now = Date.now();
    const bans = new BanList({ log: testLog, now: () => now });
    const { swarm } = await victimOf({}, { bans });
    const identity = randomIdentity();
    bans.ban(identity.id, 'test', 1_000);
    await expect(HostilePeer.connect(testnet.bootstrap, swarm.identity.id, identity)).rejects.toThrow();
    now += 1_001;
    const peer = await HostilePeer.connect(testnet.bootstrap, swarm.identity.id, identity);
    await peer.destroy();
  });

  it('that floods with connections gets no more than the total', async () => {
    const victim = await victimOf({ connections: 3 });
    victim.stranger.hello();
    await Promise.allSettled(Array.from({ length: 6 }, () => guestOf(victim)));
    await expect.poll(() => victim.network.peers.size).toBe(3);
    await expect.poll(() => victim.swarm.connections.size).toBe(3);
    expect(victim.swarm.refusals.counts()['too many connections']).toBeGreaterThan(0);
  });

  it('on a host that has its places already gets no more, where this machine is no exception', async () => {
    const victim = await victimOf({ connectionsPerHost: 2, exemptLoopback: false });
    victim.stranger.hello();
    await Promise.allSettled(Array.from({ length: 4 }, () => guestOf(victim)));
    await expect.poll(() => victim.network.peers.size).toBe(2);
    await expect.poll(() => victim.swarm.connections.size).toBe(2);
    expect(victim.swarm.refusals.counts()['too many from this host']).toBeGreaterThan(0);
  });

  it('that takes a new key for every offence is kept out by its address', async () => {
    const victim = await victimOf({ exemptLoopback: false });
    const { swarm, network } = victim;
    victim.stranger.hello();
    const others = await Promise.all([1, 2, 3].map(() => guestOf(victim)));
    await expect.poll(() => network.peers.size).toBe(4);
    for (const other of others) other.stream.write(nestedBatch(20_000)); // 60 each, 15 on the host
    await Promise.all(others.map(({ closed }) => closed));
    await expect.poll(() => swarm.connections.size).toBe(1);
    const [connection] = swarm.connections;
    for (let key = 0; key < 3; key++) swarm.blame(connection!, 'wrong signature', {});
    await expect(HostilePeer.connect(testnet.bootstrap, swarm.identity.id)).rejects.toThrow();
    expect(swarm.refusals.counts()).toMatchObject({ 'banned host or network': expect.any(Number) });
  });

  it('that reads nothing is dropped before much waits for it', async () => {
    const { stranger, network, swarm } = await victimOf({ outQueueBytes: 2_000_000 });
    stranger.stream.pause();
    stranger.stream.rawStream.pause();
    stranger.hello();
    const peer = await peerOf(network);
    const closed = once(peer, 'close');
    const chunk: InferenceMessage = {
      v: 2,
      type: 'chunk',
      requestId: 'ab'.repeat(16),
      seq: 0,
      text: 'x'.repeat(1e5),
      tokens: 1,
    };
    while (!peer.closed && peer.queuedBytes <= 2_000_000) {
      peer.send(chunk);
      await new Promise(setImmediate);
    }
    expect(await closed).toEqual(['slow reader']);
    expect(swarm.refusals.counts()).toEqual({ 'slow reader': 1 });
  });
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function afterHello(peer: HostilePeer, message: object): void {
  peer.hello();
  peer.send(message);
}

function flood(peer: HostilePeer, count: number, message: object): void {
  peer.hello();
  for (let sent = 0; sent < count; sent++) peer.send(message);
}

/** Protomux: a batch in a batch in a batch… Control channel 0, type 0, then channel, length and content of each entry. */
function nestedBatch(levels: number): Buffer {
  const parts: Buffer[] = [Buffer.from([3, 0])];
  let length = 2;
  for (let level = 0; level < levels; level++) {
    const head = Buffer.from([0, 0, 0xfe, 0, 0, 0, 0]);
    head.writeUInt32LE(length, 3);
    parts.push(head);
    length += head.length;
  }
  return Buffer.concat([Buffer.from([0]), ...parts.reverse()]);
}
