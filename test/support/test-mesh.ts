import type { Tier } from '../../src-main/credits/tiers.ts';
import type { AnswerEvent } from '../../src-main/inference/backend.ts';
import { MeshClient, type MeshClientOptions, type MeshGenerateOptions } from '../../src-main/mesh/asking/client.ts';
import type { InferenceMessage } from '../../src-main/mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../../src-main/mesh/inference/messages.ts';
import type { WorkerHealth } from '../../src-main/mesh/serving/queue/admission.ts';
import { MeshWorker, type MeshWorkerOptions } from '../../src-main/mesh/serving/worker.ts';
import type { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import { MemoryClientCredits, MemoryWorkerCredits } from './memory-credits.ts';
import { openNetwork, openSwarm, randomIdentity, testLog } from './mesh-node.ts';
import { PATIENCE_MS } from './patience.ts';
import { type Script, ScriptedBackend } from './scripted-backend.ts';
import { openTestnet, type Testnet } from './testnet.ts';

const PLENTY = 1_000_000;
const NO_LIMIT: Record<Tier, number> = {
  newcomer: PLENTY,
  bronze: PLENTY,
  silver: PLENTY,
  gold: PLENTY,
  platinum: PLENTY,
  diamond: PLENTY,
  master: PLENTY,
};

export interface TestWorker {
  id: string;
  swarm: MeshSwarm;
  network: MeshNetwork<InferenceMessage>;
  worker: MeshWorker;
  backend: ScriptedBackend;
  credits: MemoryWorkerCredits;
  health: WorkerHealth;
}

export interface TestClient {
  id: string;
  swarm: MeshSwarm;
  network: MeshNetwork<InferenceMessage>;
  client: MeshClient;
  credits: MemoryClientCredits;
}

/** Workers and clients on a loopback DHT of their own. */
export class TestMesh {
  readonly #testnet: Testnet;
  readonly #open: { close(): Promise<void> }[] = [];

  private constructor(testnet: Testnet) {
    this.#testnet = testnet;
  }

  static async open(): Promise<TestMesh> {
    return new TestMesh(await openTestnet());
  }

  get bootstrap(): Testnet['bootstrap'] {
    return this.#testnet.bootstrap;
  }

  async worker(script: Script = {}, options: Partial<MeshWorkerOptions> = {}): Promise<TestWorker> {
    const identity = randomIdentity();
    const swarm = await openSwarm({ bootstrap: this.#testnet.bootstrap, identity });
    const network = await openNetwork(swarm, INFERENCE_NETWORK, 'server');
    const backend = new ScriptedBackend(script);
    const credits = new MemoryWorkerCredits(identity);
    const health: WorkerHealth = { score: 90, state: 'idle', capacity: 100, accepting: true };
    const common = {
      network,
      identity,
      backend,
      credits,
      health: () => health,
      requestsPerMinute: NO_LIMIT,
      log: testLog,
    };
    const worker = new MeshWorker({ ...common, ...options });
    worker.open();
    this.#open.push(swarm, network, worker);
    return { id: identity.id, swarm, network, worker, backend, credits, health };
  }

  /** A client that has met `workers` and heard how each is. */
  async client(workers: TestWorker[], options: Partial<MeshClientOptions> = {}): Promise<TestClient> {
    const identity = randomIdentity();
    const swarm = await openSwarm({ bootstrap: this.#testnet.bootstrap, identity });
    const network = await openNetwork(swarm, INFERENCE_NETWORK, 'client');
    const credits = new MemoryClientCredits(identity);
    const client = new MeshClient({ network, identity, credits, findWorkerMs: PATIENCE_MS, log: testLog, ...options });
    client.open();
    this.#open.push(swarm, network, client);
    await heardFrom(client, workers);
    return { id: identity.id, swarm, network, client, credits };
  }

  /** Closes what was opened, but not the DHT. */
  async clear(): Promise<void> {
    for (const resource of this.#open.splice(0).reverse()) await resource.close();
  }

  async close(): Promise<void> {
    await this.clear();
    await this.#testnet.close();
  }
}

/** Resolves when the client has heard from all these workers how they are. */
async function heardFrom(client: MeshClient, workers: TestWorker[]): Promise<void> {
  const heard = () => new Set(client.workers().flatMap(({ peer, status }) => (status ? peer.id : [])));
  while (!workers.every(({ id }) => heard().has(id))) await new Promise((resolve) => setTimeout(resolve, 2));
}

export interface Collected {
  text: string;
  events: AnswerEvent[];
}

/** Reads an answer to its end; text before a restart is dropped. */
export async function ask(
  client: MeshClient,
  prompt = 'hello',
  { topLogprobs, ...options }: MeshGenerateOptions & { topLogprobs?: number } = {},
): Promise<Collected> {
  const collected: Collected = { text: '', events: [] };
  for await (const event of client.generate({ input: { prompt }, topLogprobs }, options)) {
    collected.events.push(event);
    if (event.type === 'restart') collected.text = '';
    if (event.type === 'chunk') collected.text += event.text;
  }
  return collected;
}
