import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { NoiseStream } from '@hyperswarm/secret-stream';
import c from 'compact-encoding';
import HyperDHT from 'hyperdht';
import Protomux from 'protomux';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import type { InferenceMessage, Prompt } from '../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import { MeshWorker } from '../../src-main/mesh/serving/worker.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Limits } from '../../src-main/mesh/transport/guards/limits.ts';
import type { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import { nextRequestId, openCreditNode } from '../support/credit-nodes.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import { openNetwork, openSwarm, randomIdentity, testLog } from '../support/mesh-node.ts';
import { ScriptedBackend } from '../support/scripted-backend.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { until } from '../support/until.ts';

/** The parts of HyperDHT that whoever forges an address puts his own in the place of. */
interface OpenDht {
  _router: {
    peerHandshake(target: Buffer, options: object, to: { host: string; port: number }): Promise<unknown>;
  };
  remoteAddress(): unknown;
}

let testnet: Testnet;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  testnet = await openTestnet();
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(() => testnet.close());

/** A worker with real books, to which addresses of this machine are addresses like all others. */
async function openVictim(limits: Partial<Limits> = {}) {
  const node = await openCreditNode(1, { clock: { now: Date.now() } });
  open.push(node.book);
  const { identity } = node;
  const swarm = await openSwarm({
    bootstrap: testnet.bootstrap,
    identity,
    limits: { exemptLoopback: false, ...limits },
  });
  open.push(swarm);
  const network: MeshNetwork<InferenceMessage> = await openNetwork(swarm, INFERENCE_NETWORK, 'server');
  open.push(network);
  const backend = new ScriptedBackend();
  const health = () => ({ score: 90, state: 'idle' as const, capacity: 100, accepting: true });
  const credits = node.book.worker;
  const worker = new MeshWorker({ network, identity, backend, credits, health, log: testLog });
  worker.open();
  open.push(worker);
  /** Who was ever greeted, by id. */
  const greeted = new Set<string>();
  network.on('peer', ({ id }) => greeted.add(id));
  return { swarm, network, backend, credits, greeted };
}

/** Somebody at 127.0.0.1 who connects as if from anywhere. What is sent to the address that he names he does not hear. */
class Forger {
  readonly #dht = new HyperDHT({ bootstrap: testnet.bootstrap, host: '127.0.0.1', firewalled: false });
  readonly #victim: MeshSwarm;
  #claims = '';

  private constructor(victim: MeshSwarm) {
    this.#victim = victim;
    const { _router } = this.internals;
    const handshake = _router.peerHandshake.bind(_router);
    _router.peerHandshake = (target, options) =>
      handshake(target, { ...options, peerAddress: { host: this.#claims, port: 4_321 } }, this.#at);
  }

  static async at(victim: MeshSwarm): Promise<Forger> {
    const forger = new Forger(victim);
    open.push({ close: () => forger.#dht.destroy({ force: true }) });
    await forger.#dht.ready();
    return forger;
  }

  get #at() {
    return { host: '127.0.0.1', port: this.#victim.dht?.port ?? 0 };
  }

  get internals(): OpenDht {
    return this.#dht as unknown as OpenDht;
  }

  /** Connects, unless the handshake is refused. */
  async come(host: string, { relayThrough }: { relayThrough?: Buffer } = {}) {
    this.#claims = host;
    const identity = randomIdentity();
    const options = { keyPair: identity.keyPair, relayAddresses: [this.#at], ...(relayThrough && { relayThrough }) };
    const stream = this.#dht.connect(Buffer.from(this.#victim.identity.id, 'hex'), options);
    stream.on('error', ignoring('it may be refused'));
    return { identity, stream };
  }

  /** Connects, and says blindly all that somebody honest would say. */
  async speak(host: string, network: MeshNetwork<InferenceMessage>, say: (id: Speaker) => object) {
    const { identity, stream } = await this.come(host);
    await once(stream, 'open');
    const send = channelOf(stream, network.topic);
    const about = { sides: ['client'], models: [], caps: [], client: 'x', echo: '0'.repeat(32) };
    send({ v: 2, type: 'hello', ts: Date.now(), ...about });
    send(say(identity));
    await until(() => expect([...this.#victim.connections].map(({ id }) => id)).not.toContain(identity.id));
    return { identity, stream };
  }
}

type Speaker = ReturnType<typeof randomIdentity>;

function channelOf(stream: NoiseStream, id: Buffer): (message: object) => void {
  const options = { protocol: INFERENCE_NETWORK.name, id, handshake: c.raw };
  const channel = new Protomux(stream).createChannel(options);
  const bytes = channel?.addMessage({ encoding: c.raw, onmessage: () => {} });
  channel?.open(randomBytes(16));
  return (message) => {
    const body = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    bytes?.send(Buffer.concat([length, body]));
  };
}

/** Somebody honest at an address of his own gets in. */
async function honestOne(victim: MeshSwarm, network: MeshNetwork<InferenceMessage>): Promise<void> {
  const peer = await HostilePeer.connect(testnet.bootstrap, victim.identity.id);
  open.push({ close: () => peer.destroy() });
  await peer.join(INFERENCE_NETWORK, network.topic);
  peer.hello();
  await until(() => expect([...network.peers.keys()]).toContain(peer.identity.id));
}

describe('a caller who forges his address', () => {
  it('is never greeted, served or given anything, whatever he says blindly', async () => {
    const { swarm, network, backend, credits, greeted } = await openVictim();
    const forger = await Forger.at(swarm);
    for (const host of ['127.0.77.9', '127.0.78.9']) {
      await forger.speak(host, network, (identity) =>
        signEvidence<Prompt>(
          {
            type: 'prompt',
            requestId: nextRequestId(),
            worker: swarm.identity.id,
            input: { prompt: 'x' },
            params: {},
            maxTokens: 5,
            deadlineMs: 10_000,
          },
          identity,
          Date.now(),
        ),
      );
    }
    expect([greeted.size, backend.started.length]).toEqual([0, 0]);
    expect(['127.0.77.0/24', '127.0.78.0/24'].map((prefix) => credits.given(prefix))).toEqual([0, 0]);
    expect(swarm.refusals.counts()).toEqual({ 'protocol error': 2 });
  });

  it('brings no blame on who is there', async () => {
    const { swarm, network } = await openVictim();
    const forger = await Forger.at(swarm);
    // 60 each: 100 on the host would be reached at the seventh, whose keys are all different.
    for (let key = 0; key < 8; key++) await forger.speak('127.0.0.1', network, () => ({}));
    expect(swarm.refusals.counts()).toEqual({ 'protocol error': 8 });
    await honestOne(swarm, network);
  });

  it('takes no places, neither of the host that he names nor of all', async () => {
    const { swarm, network, greeted } = await openVictim({ connections: 8, connectionsPerHost: 2, unproven: 4 });
    const forger = await Forger.at(swarm);
    for (let n = 0; n < 16; n++) {
      const { stream } = await forger.come(n < 8 ? '127.0.0.1' : `127.1.${n}.1`);
      await once(stream, 'open');
    }
    await until(() => expect(swarm.connections.size).toBeLessThanOrEqual(4));
    await honestOne(swarm, network);
    expect(greeted.size).toBe(1);
  });

  it('and says nothing is gone soon, which is no offence of a key that never spoke', async () => {
    const { swarm } = await openVictim({ helloTimeoutMs: 300 });
    const forger = await Forger.at(swarm);
    const { stream } = await forger.come('127.0.77.9');
    await Promise.race([once(stream, 'open'), once(stream, 'close')]); // a busy machine sees it open when it is over
    await until(() => expect(swarm.connections.size).toBe(0));
    expect(swarm.refusals.counts()).toEqual({});
  });

  it('has the node connect to nobody by naming a relay', async () => {
    const { swarm } = await openVictim();
    const forger = await Forger.at(swarm);
    forger.internals.remoteAddress = () => null; // as if behind a firewall
    const relay = randomIdentity().keyPair.publicKey;
    const { stats } = swarm.dht as unknown as { stats: { relaying: { attempts: number } } };
    const answered: unknown[] = [];
    const { peerHandshake } = forger.internals._router;
    forger.internals._router.peerHandshake = async (...parameters) => {
      const answer = await peerHandshake(...parameters);
      answered.push(answer);
      return answer;
    };
    for (let n = 0; n < 5; n++) await forger.come(`127.1.${n}.1`, { relayThrough: relay });
    await until(() => expect(answered.length).toBeGreaterThanOrEqual(5));
    expect(stats.relaying.attempts).toBe(0);
  });

  it('nor by naming one when it is called', async () => {
    const { swarm } = await openVictim();
    const dht = new HyperDHT({ bootstrap: testnet.bootstrap, host: '127.0.0.1', firewalled: false });
    open.push({ close: () => dht.destroy({ force: true }) });
    const { id, keyPair } = randomIdentity();
    const server = dht.createServer((stream) => stream.on('error', ignoring('it may be refused')));
    Object.assign(server, { relayThrough: randomIdentity().keyPair.publicKey });
    await server.listen(keyPair);
    const called = vi.spyOn(HyperDHT.prototype, 'connect');
    swarm.joinPeer(id);
    await until(() => expect([...swarm.connections].map((connection) => connection.id)).toEqual([id]));
    expect(called.mock.calls.map(([key]) => Buffer.from(key).toString('hex'))).toEqual([id]);
    called.mockRestore();
  });
});
