import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import { type Channel, HostileCaller } from '../../../src-main/bench/hostile/hostile-caller.ts';
import { type CreditBook, openCreditBook } from '../../../src-main/credits/ledger/credit-book.ts';
import { MeshClient } from '../../../src-main/mesh/asking/client.ts';
import { CodeKeys } from '../../../src-main/mesh/fleet/code-keys.ts';
import { Fleet } from '../../../src-main/mesh/fleet/fleet.ts';
import { INFERENCE_NETWORK } from '../../../src-main/mesh/inference/messages.ts';
import { NETWORKS } from '../../../src-main/mesh/networks.ts';
import { SCORES_NETWORK } from '../../../src-main/mesh/scores/score-messages.ts';
import { ScoreNetwork } from '../../../src-main/mesh/scores/score-network.ts';
import { MeshWorker } from '../../../src-main/mesh/serving/worker.ts';
import { MODELS_NETWORK } from '../../../src-main/mesh/sharing/messages.ts';
import { ModelSharing } from '../../../src-main/mesh/sharing/model-sharing.ts';
import { BanList } from '../../../src-main/mesh/transport/guards/ban-list.ts';
import type { Limits } from '../../../src-main/mesh/transport/guards/limits.ts';
import { identityFromSeed, verify } from '../../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../../src-main/mesh/transport/network.ts';
import { MeshSwarm } from '../../../src-main/mesh/transport/swarm.ts';
import type { MeshKeys } from '../../../src-main/mesh/transport/topic.ts';
import type { Db } from '../../../src-main/store/database.ts';
import { PairedNodeStore } from '../../../src-main/store/mesh/paired-nodes.ts';
import { ScoreStore } from '../../../src-main/store/mesh/scores.ts';
import { MAX_PAIRED } from '../../../src-preload/contract/fleet.ts';
import { signedReceipt, testIdentity } from '../credit-nodes.ts';
import { SUMMARY } from '../fleet-node.ts';
import { memoryDatabase } from '../memory-database.ts';
import { MemorySwarm } from '../memory-swarm.ts';
import { ScriptedBackend } from '../scripted-backend.ts';
import { until } from '../until.ts';

const ERROR = 50;

/**
 * A whole node of the mesh, as strangers meet it: real networks, gate, budgets, worker, client, books, score logs, sharing and fleet, on a
 * swarm in memory (`memory-swarm.ts`, which the test puts in Hyperswarm's place).
 */
export class Victim {
  readonly identity = identityFromSeed(randomBytes(32));
  readonly swarm: MeshSwarm;
  /** Its networks as a caller finds them who knows where its code is shown. */
  readonly channels: Channel[] = [];
  /** What the log tells as an error: a fault of this node's own. */
  readonly faults: string[] = [];
  readonly backend = new ScriptedBackend({ parallel: 4 });
  #client: MeshClient | undefined;
  #book: CreditBook | undefined;
  #scores: ScoreStore | undefined;
  readonly #log: Logger;
  readonly #open: { close(): Promise<unknown> }[] = [];
  readonly #paired = Array.from({ length: MAX_PAIRED }, () => identityFromSeed(randomBytes(32)));
  #lastPaired = 0;

  private constructor(limits: Partial<Limits>) {
    const { identity, faults } = this;
    const write = (line: string) => {
      const { level, msg, err } = JSON.parse(line);
      if (level >= ERROR) faults.push(`${msg}: ${err?.stack}`);
    };
    this.#log = pino({ level: 'error' }, { write });
    const log = this.#log;
    this.swarm = new MeshSwarm({ identity, bans: new BanList({ log }), limits, log });
  }

  static async open(limits: Partial<Limits> = {}): Promise<Victim> {
    const victim = new Victim(limits);
    await victim.#openAll();
    return victim;
  }

  get client(): MeshClient {
    if (!this.#client) throw new Error('It is not open.');
    return this.#client;
  }

  /** How many refusals were counted since the start. */
  get refused(): number {
    return Object.values(this.swarm.refusals.counts()).reduce((sum, count) => sum + count, 0);
  }

  /** Serves one request, so that there is a score log for others to read. @returns the log's public key, 64 hex */
  async publish(): Promise<string> {
    await this.#book?.worker.settle(signedReceipt(this.identity, testIdentity(1), { servedAt: Date.now() }));
    return await until(async () => {
      const logs = (await this.#scores?.logs()) ?? [];
      expect(logs).toHaveLength(1);
      return logs[0]?.log_key ?? '';
    });
  }

  /** Somebody new connects. @returns undefined when it is refused at the door */
  caller(from: string): HostileCaller | undefined {
    return callNode(this.identity.id, from, this.channels);
  }

  /** Another node of the same owner connects, which somebody else has taken over: one after the other of some fifty. */
  pairedCaller(from: string): HostileCaller | undefined {
    const paired = this.#paired[this.#lastPaired++ % MAX_PAIRED];
    return callNode(this.identity.id, from, this.channels, paired);
  }

  async close(): Promise<void> {
    for (const each of this.#open.splice(0).reverse()) await each.close();
  }

  async #pairedNodes(db: Db): Promise<PairedNodeStore> {
    const store = new PairedNodeStore(db);
    const rest = { name: 'PC', since: 0, mayControl: false, summary: undefined, seenAt: undefined };
    for (const { id: nodeId } of this.#paired) await store.put({ nodeId, ...rest });
    return store;
  }

  async #openAll(): Promise<void> {
    const { identity, swarm, backend } = this;
    const log = this.#log;
    const dataDir = await mkdtemp(join(tmpdir(), 'quarry-fuzz-'));
    this.#open.push({ close: () => rm(dataDir, { recursive: true, force: true }) });
    const db = await memoryDatabase();
    this.#open.push({ close: () => db.destroy() });
    const book = await openCreditBook({ db, identity, verify, log });
    this.#book = book;
    this.#scores = new ScoreStore(db);
    this.#open.push({ close: () => book.close() });
    await swarm.open();
    this.#open.push({ close: () => swarm.close() });

    const common = {
      swarm,
      mode: 'both' as const,
      describe: () => ({ sides: ['worker' as const, 'client' as const] }),
      log,
    };
    const inference = new MeshNetwork({ ...INFERENCE_NETWORK, ...common });
    const health = () => ({ score: 90, state: 'idle' as const, capacity: 100, accepting: true });
    const worker = new MeshWorker({ network: inference, identity, backend, credits: book.worker, health, log });
    const client = new MeshClient({ network: inference, identity, credits: book.client, findWorkerMs: 20, log });
    this.#client = client;
    const scores = new ScoreNetwork({
      network: new MeshNetwork({ ...SCORES_NETWORK, ...common }),
      ...{ identity, credits: book, db, dataDir, timing: { publishEveryMs: 50 }, log },
    });
    const sharing = new ModelSharing({
      network: new MeshNetwork({ ...MODELS_NETWORK, ...common }),
      ...{ identity, dataDir, uploadLimit: null, diskLimit: null, trustedSigners: [], log },
    });
    await sharing.open();
    this.#open.push(sharing);
    await scores.open();
    this.#open.push(scores);
    await inference.open();
    this.#open.push(inference);
    const fleet = new Fleet({
      ...{ swarm, store: await this.#pairedNodes(db), log },
      summary: async () => SUMMARY,
      order: () => true,
    });
    await fleet.open();
    this.#open.push(fleet);
    const { code } = await fleet.offer(true);
    this.channels.push(...channelsOf(swarm.keys, new CodeKeys(code).meeting));
    worker.open();
    client.open();
    this.#open.push(worker, client);
  }
}

/** Somebody connects to a node. @param identity default: somebody new @returns undefined when it is refused at the door */
export function callNode(
  victim: string,
  from: string,
  channels: readonly Channel[],
  identity = identityFromSeed(randomBytes(32)),
): HostileCaller | undefined {
  const stream = MemorySwarm.connect(victim, identity.keyPair.publicKey, from);
  return stream && new HostileCaller({ stream, identity, victim, channels });
}

/** The networks of a mesh, as a caller finds them. @param meeting where a code is shown; default: nowhere */
export function channelsOf(keys: MeshKeys, meeting = ''): Channel[] {
  return Object.values(NETWORKS).map((network) => {
    const isPairing = network === NETWORKS.pairing;
    return { ...network, topic: isPairing ? keys.topicOf(network.name, meeting) : keys.topic(network.name) };
  });
}

/** An address anywhere in the world. */
export function anyAddress(number: number): string {
  return `${11 + (number % 89)}.${(number >> 7) & 255}.${(number >> 15) & 255}.${1 + ((number >> 3) % 250)}`;
}
