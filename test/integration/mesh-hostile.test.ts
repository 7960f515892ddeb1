import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk, InferenceMessage, Prompt, Status } from '../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import type { EvidenceBody } from '../../src-main/mesh/transport/envelope.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { Peer } from '../../src-main/mesh/transport/peer.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { HostilePeer } from '../support/hostile-peer.ts';
import { MemoryWorkerCredits } from '../support/memory-credits.ts';
import { openNetwork, openSwarm, randomIdentity } from '../support/mesh-node.ts';
import { ask, TestMesh, type TestWorker } from '../support/test-mesh.ts';
import { IDLE_STATUS } from '../support/worker-status.ts';

let mesh: TestMesh;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  mesh = await TestMesh.open();
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
  await mesh.clear();
});
afterAll(() => mesh.close());

/** A client below our own code that has said hello to the worker. */
async function hostileClient(worker: TestWorker): Promise<HostilePeer> {
  const peer = await HostilePeer.connect(mesh.bootstrap, worker.id);
  open.push({ close: () => peer.destroy() });
  await peer.join(INFERENCE_NETWORK, worker.network.topic);
  peer.hello();
  return peer;
}

function promptBody(worker: string): EvidenceBody<Prompt> {
  const requestId = '12'.repeat(16);
  return { type: 'prompt', requestId, worker, input: { prompt: 'x' }, params: {}, maxTokens: 5, deadlineMs: 10_000 };
}

describe('a hostile client', () => {
  it.each<[string, (body: EvidenceBody<Prompt>, client: HostilePeer) => object]>([
    [
      'forges a signature',
      (body, { identity }) => ({ ...signEvidence<Prompt>(body, identity, Date.now()), maxTokens: 6 }),
    ],
    ['speaks for another client', (body) => signEvidence<Prompt>(body, randomIdentity(), Date.now())],
    [
      'brings a prompt for another worker',
      (body, { identity }) => signEvidence<Prompt>({ ...body, worker: identity.id }, identity, Date.now()),
    ],
  ])('that %s is banned, and nothing is generated', async (_, forge) => {
    const worker = await mesh.worker();
    const client = await hostileClient(worker);
    client.send(forge(promptBody(worker.id), client));
    await client.closed;
    expect(worker.swarm.bans.find(client.identity.id)?.reason).toBe('wrong signature');
    expect(worker.backend.started).toEqual([]);
  });

  it('that sends a prompt twice is served once and dropped', async () => {
    const worker = await mesh.worker();
    const client = await hostileClient(worker);
    const prompt = signEvidence<Prompt>(promptBody(worker.id), client.identity, Date.now());
    client.send(prompt);
    await expect.poll(() => worker.backend.started.length).toBe(1);
    client.send(prompt);
    await client.closed;
    expect(worker.backend.started.length).toBe(1);
    expect(worker.swarm.refusals.counts()).toMatchObject({ replay: 1 });
  });

  it('that sends a prompt from the past is told, not served', async () => {
    const worker = await mesh.worker();
    const client = await hostileClient(worker);
    client.send(signEvidence<Prompt>(promptBody(worker.id), client.identity, Date.now() - 600_000));
    await expect.poll(() => worker.swarm.refusals.counts()).toEqual({ BAD_REQUEST: 1 });
    expect(worker.backend.started).toEqual([]);
  });

  it('that brings a receipt of others is dropped', async () => {
    const worker = await mesh.worker();
    const honest = await mesh.client([worker]);
    await ask(honest.client);
    const [receipt] = honest.credits.signed.values();
    const client = await hostileClient(worker);
    client.send({ v: 2, type: 'receipt', status: 'signed', receipt });
    await client.closed;
    expect(worker.swarm.refusals.counts()).toMatchObject({ 'false claim': 1 });
  });

  it('that brings void receipts is banned at the fourth', async () => {
    const worker = await mesh.worker();
    const honest = await mesh.client([worker]);
    await ask(honest.client);
    await expect.poll(() => worker.credits.settled.size).toBe(1);
    const [template] = honest.credits.signed.values();
    worker.credits.settle = async () => {
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'It is void.', field: 'receipt' });
    };
    const client = await hostileClient(worker);
    const body = { ...template!.body, client: client.identity.id };
    for (let count = 0; count < 4; count++) {
      client.send({ v: 2, type: 'receipt', status: 'signed', receipt: { ...template, body } });
    }
    await client.closed;
    expect(worker.swarm.bans.find(client.identity.id)?.reason).toBe('void receipt');
    expect(worker.swarm.refusals.counts()).toMatchObject({ 'void receipt': 4 });
  });

  it('that signs a receipt wrongly gets it back as void', async () => {
    const worker = await mesh.worker();
    const { client, credits } = await mesh.client([worker]);
    const countersign = credits.countersign.bind(credits);
    credits.countersign = async (bill, seen) => ({ ...(await countersign(bill, seen)), clientSig: '0'.repeat(128) });
    await ask(client);
    await expect.poll(() => credits.acknowledged.size).toBe(1);
    expect(worker.credits.settled.size).toBe(0);
  });
});

/** A worker of our network layer that answers each prompt as the test says. */
async function hostileWorker(
  answer: (peer: Peer<InferenceMessage>, prompt: Prompt, credits: MemoryWorkerCredits) => void,
) {
  const identity = randomIdentity();
  const swarm = await openSwarm({ bootstrap: mesh.bootstrap, identity });
  const network: MeshNetwork<InferenceMessage> = await openNetwork(swarm, INFERENCE_NETWORK, 'server');
  open.push(swarm, network);
  const credits = new MemoryWorkerCredits(identity);
  network.on('peer', (peer) => {
    peer.onMessage((message) => {
      if (message.type === 'prompt') answer(peer, message, credits);
    });
    peer.send(signEvidence<Status>(statusBody, identity, Date.now()));
  });
  return { id: identity.id, identity, network, swarm };
}

const statusBody = { ...IDLE_STATUS, models: [{ name: 'm', contextSize: 10 }] };

function chunk({ requestId }: Prompt, seq: number, text = 'x', tokens = 1): Chunk {
  return { v: 2, type: 'chunk', requestId, seq, text, tokens };
}

/** A token with the probabilities of so many others. */
function weighed(others: number, length = 1) {
  const token = { token: 'x'.repeat(length), bytes: Array(length).fill(120), logprob: -1 };
  return { ...token, top: Array(others).fill(token) };
}

describe('a hostile worker', () => {
  it.each<[string, (peer: Peer<InferenceMessage>, prompt: Prompt, credits: MemoryWorkerCredits) => void, string]>([
    ['leaves out a piece', (peer, prompt) => [0, 2].map((seq) => peer.send(chunk(prompt, seq))), 'PROTOCOL'],
    ['answers without end', (peer, prompt) => peer.send(chunk(prompt, 0, 'x'.repeat(800_000))), 'PROTOCOL'],
    [
      'sends empty pieces without end',
      (peer, prompt) => Array.from({ length: 2_000 }, (_, seq) => peer.send(chunk(prompt, seq, '', 0))),
      'PROTOCOL',
    ],
    [
      'claims more tokens than the text can have',
      (peer, prompt, credits) => {
        peer.send(chunk(prompt, 0));
        peer.send(resultOf(prompt, credits, 400));
      },
      'PROTOCOL',
    ],
    [
      'sends probabilities without end',
      (peer, prompt) => {
        for (let seq = 0; seq < 3; seq++) peer.send({ ...chunk(prompt, seq), logprobs: Array(1_000).fill(weighed(0)) });
      },
      'PROTOCOL',
    ],
    [
      'sends more probabilities than were asked for',
      (peer, prompt) => peer.send({ ...chunk(prompt, 0), logprobs: [weighed(20)] }),
      'PROTOCOL',
    ],
    [
      'sends probabilities of tokens without end',
      (peer, prompt) => peer.send({ ...chunk(prompt, 0), logprobs: Array(3).fill(weighed(2, 1_024)) }),
      'PROTOCOL',
    ],
    ['says nothing', () => {}, 'WORKER_LOST'],
  ])('that %s is found out', async (_, answer, code) => {
    const worker = await hostileWorker(answer);
    // Only silence is found out by waiting; what comes has to arrive before it can be judged.
    const patience = code === 'WORKER_LOST' ? { acceptMs: 200 } : {};
    const { client, credits } = await mesh.client([], { attempts: 1, patience });
    await expect(ask(client, 'hello', { topLogprobs: 2 })).rejects.toMatchObject({ code });
    expect([...credits.released.values()]).toEqual([code]);
    expect(client.workers().every(({ peer }) => peer.id !== worker.id || code === 'WORKER_LOST')).toBe(true);
  });

  it('that forges its status is dropped', async () => {
    const worker = await hostileWorker(() => {});
    const { network, swarm, client } = await mesh.client([], {});
    await expect.poll(() => client.workers()[0]?.status?.health.score).toBe(100);
    const forged = { ...signEvidence<Status>({ ...statusBody, seq: 1 }, worker.identity, Date.now()), points: 10_000 };
    for (const peer of worker.network.peers.values()) peer.send(forged);
    await expect.poll(() => network.peers.size).toBe(0);
    expect(swarm.bans.find(worker.id)?.reason).toBe('wrong signature');
  });

  it('that replays an old status is not believed', async () => {
    const worker = await hostileWorker(() => {});
    const { client } = await mesh.client([], {});
    await expect.poll(() => client.workers().length).toBe(1);
    const [peer] = worker.network.peers.values();
    for (const seq of [5, 3]) {
      const health = { ...statusBody.health, score: seq };
      peer!.send(signEvidence<Status>({ ...statusBody, health, seq }, worker.identity, Date.now()));
    }
    peer!.send({ v: 2, type: 'cancel', requestId: '00'.repeat(16) });
    await expect.poll(() => client.workers()[0]?.status?.seq).toBe(5);
  });
});

function resultOf(prompt: Prompt, credits: MemoryWorkerCredits, completionTokens: number): InferenceMessage {
  const { requestId, from: client } = prompt;
  const hash = '0'.repeat(64);
  const receipt = credits.bill({
    requestId,
    client,
    model: 'm',
    promptHash: hash,
    resultHash: hash,
    promptTokens: 1,
    completionTokens,
    promptChars: 1,
    resultChars: 1,
    firstTokenMs: 0,
    processingMs: 0,
    servedAt: Date.now(),
  });
  const times = { queuedMs: 0, firstTokenMs: 0, totalMs: 0, tokensPerSecond: 0 };
  const counts = { promptTokens: 1, cachedTokens: 0, completionTokens };
  return { v: 2, type: 'inference_result', requestId, finish: 'stop', ...counts, ...times, receipt };
}

describe('a process', () => {
  it('ends by itself when its mesh is closed', async () => {
    const script = fileURLToPath(new URL('../support/mesh-child.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout).toContain('word0 word1');
  });
});
