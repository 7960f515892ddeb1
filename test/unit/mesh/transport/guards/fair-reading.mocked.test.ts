import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostileCaller } from '../../../../../src-main/bench/hostile/hostile-caller.ts';
import { frameOf } from '../../../../../src-main/bench/hostile/speech.ts';
import type { InferenceMessage } from '../../../../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../../../../src-main/mesh/inference/messages.ts';
import { FairReading, type ReadingLine } from '../../../../../src-main/mesh/transport/guards/fair-reading.ts';
import { DEFAULT_LIMITS } from '../../../../../src-main/mesh/transport/guards/limits.ts';
import type { MeshNetwork } from '../../../../../src-main/mesh/transport/network.ts';
import type { MeshSwarm } from '../../../../../src-main/mesh/transport/swarm.ts';
import { MemorySwarm } from '../../../../support/memory-swarm.ts';
import { openNetwork, openSwarm, randomIdentity } from '../../../../support/mesh-node.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../../../../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../../../../support/memory-swarm.ts')).MemoryDht }));

/** Bytes a second that are read of all together. */
const PACE = 100_000;
/** Milliseconds; the clock stands still until a test moves it. */
const SECOND = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

describe('what all say together', () => {
  /** Lines of so many nodes, and what of each was read. */
  function open(nodes: number) {
    const reading = new FairReading(PACE, true, Date.now);
    const read: number[][] = Array.from({ length: nodes }, () => []);
    const gone: number[] = [];
    const lines: ReadingLine[] = read.map((of, node) => {
      const line = reading.line({
        id: `${node}`,
        read: (message) => {
          line.spendMessage();
          of.push(message.length);
        },
        onStranger: () => gone.push(node),
        onExcess: () => gone.push(node),
      });
      line.welcome(`network ${node}`);
      return line;
    });
    const bytes = () => read.map((of) => of.reduce((sum, length) => sum + length, 0));
    return { lines, read, bytes, gone, all: () => bytes().reduce((sum, each) => sum + each, 0) };
  }

  function say(line: ReadingLine | undefined, times: number, length: number): void {
    for (let count = 0; count < times; count++) line?.take(Buffer.alloc(length));
  }

  it('is read at once as long as it is no more than the pace', async () => {
    const { lines, all } = open(10);
    for (let second = 1; second <= 20; second++) {
      for (const line of lines) say(line, 10, 700);
      expect(all()).toBe(second * 10 * 10 * 700);
      await vi.advanceTimersByTimeAsync(SECOND);
    }
  });

  it('is read at the pace and no faster, however many say it, each as much as the other', async () => {
    const { lines, bytes, all } = open(50);
    for (const line of lines) say(line, 500, 1_000);
    const atOnce = all();
    expect(atOnce).toBeLessThan(4 * PACE);
    await vi.advanceTimersByTimeAsync(60 * SECOND);
    expect(all()).toBeLessThan(62 * PACE);
    expect(all()).toBeGreaterThan(40 * PACE); // the rest is what messages cost beside their bytes
    expect(Math.max(...bytes())).toBeLessThan(2 * Math.min(...bytes()));
  });

  it('is counted by message too: small ones cost more than their bytes', async () => {
    const { lines, read } = open(1);
    say(lines[0], 20_000, 1);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    expect(read[0]?.length).toBeLessThan((11 * PACE) / 200);
  });

  it('keeps nobody waiting who says little', async () => {
    const { lines, read } = open(51);
    const [honest, ...flooding] = lines;
    for (const line of flooding) say(line, 500, 1_000);
    for (let second = 1; second <= 30; second++) {
      say(honest, 1, 100);
      expect(read[0]).toHaveLength(second);
      await vi.advanceTimersByTimeAsync(SECOND);
    }
  });

  it('is read next of who said less than the others, when he has to wait', async () => {
    const { lines, read } = open(11);
    const [honest, ...flooding] = lines;
    for (const line of flooding) say(line, 500, 1_000);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    say(honest, 1, 40_000);
    say(honest, 10, 1_000);
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(read[0]).toHaveLength(11);
  });

  it('is read the sooner the less it is, also of those who said nothing before', async () => {
    const { lines, read } = open(30);
    const [honest, ...others] = lines;
    say(honest, 10, 1_000);
    for (const line of others) say(line, 1, 50_000);
    for (let count = 0; count < 5; count++) {
      say(honest, 1, 1_000);
      await vi.advanceTimersByTimeAsync(SECOND);
    }
    expect(read[0]).toHaveLength(15);
    expect(read.filter(({ length }) => length === 0).length).toBeGreaterThan(10);
  });

  it('is read whole in the end, in the order in which each said it', async () => {
    const { lines, read } = open(5);
    const lengths = Array.from({ length: 300 }, (_, at) => at + 1);
    for (const line of lines) for (const length of lengths) say(line, 1, length);
    await vi.advanceTimersByTimeAsync(30 * SECOND);
    expect(read).toEqual(Array(5).fill(lengths));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits as long as there is room; then who has most of it goes, and nobody else', async () => {
    const { lines, gone, read } = open(3);
    say(lines[0], 1_000, 1_000);
    say(lines[1], 100, 1_000);
    expect(gone).toEqual([]);
    say(lines[2], 30, 4_000_000);
    expect(gone).toEqual([2]);
    const before = read[2]?.length;
    await vi.advanceTimersByTimeAsync(120 * SECOND); // after what the largest message left
    expect(read.map(({ length }) => length)).toEqual([1_000, 100, before]);
  });

  it('is forgotten when who said it is gone', () => {
    const { lines } = open(2);
    for (const line of lines) say(line, 500, 1_000);
    for (const line of lines) line.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a node that many flood', () => {
  let swarm: MeshSwarm;
  let network: MeshNetwork<InferenceMessage>;
  const callers: HostileCaller[] = [];
  /** Bytes of text that the node has read, by who said it. */
  const read = new Map<string, number>();

  beforeEach(async () => {
    swarm = await openSwarm({ bootstrap: [], limits: { ...DEFAULT_LIMITS, readBytesPerSecond: PACE } });
    network = await openNetwork(swarm, INFERENCE_NETWORK, 'both');
    network.on('peer', (peer) =>
      peer.onMessage((message) => {
        const length = message.type === 'chunk' ? message.text.length : 0;
        read.set(peer.id, (read.get(peer.id) ?? 0) + length);
      }),
    );
  });
  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.close();
    read.clear();
    await network.close();
    await swarm.close();
  });

  /** Somebody who has said hello. */
  function caller(): HostileCaller {
    const identity = randomIdentity();
    const victim = swarm.identity.id;
    const stream = MemorySwarm.connect(victim, identity.keyPair.publicKey, '127.0.0.1');
    if (!stream) throw new Error('The handshake was refused.');
    const { topic } = network;
    const made = new HostileCaller({ stream, identity, victim, channels: [{ ...INFERENCE_NETWORK, topic }] });
    callers.push(made);
    made.hello(INFERENCE_NETWORK.name);
    return made;
  }

  function say(by: HostileCaller, length: number): void {
    const chunk = { v: 2, type: 'chunk', requestId: 'ab'.repeat(16), seq: 0, text: 'x'.repeat(length), tokens: 1 };
    by.send(INFERENCE_NETWORK.name, frameOf(Buffer.from(JSON.stringify(chunk))));
  }

  /** Lets everything happen that waits for no clock, until something is so. */
  async function turnsUntil(isSo: () => boolean): Promise<void> {
    while (!isSo()) await turn();
  }

  it('reads of all together at its pace, of who says little at once, and ends no connection', async () => {
    const honest = caller();
    const flooding = Array.from({ length: 20 }, caller);
    await turnsUntil(() => network.peers.size === 21);
    for (const each of flooding) for (let count = 0; count < 50; count++) say(each, 10_000);
    await turnsUntil(() => flooding.every(({ stream }) => stream.writableLength === 0));
    const flood = () => [...read].reduce((sum, [id, bytes]) => sum + (id === honest.identity.id ? 0 : bytes), 0);

    for (let second = 0; second < 30; second++) {
      expect(flood()).toBeLessThanOrEqual((second + 4) * PACE);
      const now = Date.now();
      say(honest, 10);
      await turnsUntil(() => read.get(honest.identity.id) === (second + 1) * 10);
      expect(Date.now()).toBe(now); // it did not wait
      await vi.advanceTimersByTimeAsync(SECOND);
    }
    expect(flood()).toBeGreaterThan(20 * PACE);
    expect(network.peers.size).toBe(21);
    await vi.advanceTimersByTimeAsync(120 * SECOND);
    expect(flood()).toBe(20 * 50 * 10_000);
    expect(swarm.refusals.counts()).toEqual({});
  });

  it('takes nobody for silent whom it has not read', async () => {
    const flooding = Array.from({ length: 20 }, caller);
    await turnsUntil(() => network.peers.size === 20);
    for (const each of flooding) say(each, 100_000);
    await turnsUntil(() => flooding.every(({ stream }) => stream.writableLength === 0));
    for (let second = 0; second < 40; second++) {
      const unread = flooding.filter(({ identity: { id } }) => !read.has(id));
      expect(unread.filter(({ identity: { id } }) => !network.peers.has(id))).toEqual([]);
      await vi.advanceTimersByTimeAsync(SECOND);
    }
    expect(read.size).toBe(20);
    expect(network.peers.size).toBe(0); // they answer no ping
  });

  it('takes nobody for silent whose frame is on its way, however slowly it comes', async () => {
    const slow = caller();
    await turnsUntil(() => network.peers.size === 1);
    const frame = frameOf(Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000) })));
    for (let second = 0; second < 20; second++) {
      slow.send(INFERENCE_NETWORK.name, frame.subarray(second * 10, second * 10 + 10));
      await turnsUntil(() => slow.stream.writableLength === 0);
      await vi.advanceTimersByTimeAsync(SECOND);
    }
    const [connection] = swarm.connections;
    for (let second = 0; second < 14; second++) {
      connection?.stream.rawStream.emit('data', Buffer.alloc(1)); // of a message that is not complete
      await vi.advanceTimersByTimeAsync(SECOND);
    }
    expect(network.peers.size).toBe(1);
    await vi.advanceTimersByTimeAsync(12 * SECOND);
    expect(network.peers.size).toBe(0);
  });

  it('parts with who says more than can wait', async () => {
    const honest = caller();
    const flooding = Array.from({ length: 4 }, caller);
    await turnsUntil(() => network.peers.size === 5);
    for (const each of flooding) for (let count = 0; count < 90; count++) say(each, 100_000);
    await turnsUntil(() => network.peers.size < 5);
    expect(swarm.refusals.counts()).toEqual({ 'too much to read': 1 });
    say(honest, 10);
    await turnsUntil(() => read.get(honest.identity.id) === 10);
  });

  it('blames who says so much alone', async () => {
    const alone = caller();
    await turnsUntil(() => network.peers.size === 1);
    for (let count = 0; count < 400; count++) say(alone, 100_000);
    await turnsUntil(() => network.peers.size === 0);
    expect(swarm.refusals.counts()).toEqual({ 'too many bytes': 1 });
  });
});
