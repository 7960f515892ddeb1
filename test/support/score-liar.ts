import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Corestore from 'corestore';
import Hyperbee from 'hyperbee';
import type Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import type { Address } from 'hyperdht';
import { encodeEntry, type ScoreEntry } from '../../src-main/mesh/scores/score-entry.ts';
import type { ScoreMessage, ScoreUpdate } from '../../src-main/mesh/scores/score-messages.ts';
import { SCORES_NETWORK } from '../../src-main/mesh/scores/score-messages.ts';
import { signEvidence } from '../../src-main/mesh/transport/envelope.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import { openSwarm, testLog } from './mesh-node.ts';

/** A member of the scores network that writes into its log, and claims, whatever the test tells it to. */
export class ScoreLiar {
  readonly identity: Identity;
  readonly network: MeshNetwork<ScoreMessage>;
  readonly #dir: string;
  readonly #store: Corestore;
  core: Hypercore & { truncate(length: number): Promise<void> };
  #bee: Hyperbee;
  readonly #closeSwarm: () => Promise<void>;

  private constructor(options: {
    identity: Identity;
    network: MeshNetwork<ScoreMessage>;
    dir: string;
    closeSwarm: () => Promise<void>;
  }) {
    this.identity = options.identity;
    this.network = options.network;
    this.#dir = options.dir;
    this.#closeSwarm = options.closeSwarm;
    this.#store = new Corestore(options.dir);
    [this.core, this.#bee] = this.#newLog();
  }

  static async open(bootstrap: Address[], identity: Identity): Promise<ScoreLiar> {
    const dir = await mkdtemp(join(tmpdir(), 'quarry-liar-'));
    const swarm = await openSwarm({ bootstrap, identity });
    const network = new MeshNetwork({
      ...SCORES_NETWORK,
      swarm,
      mode: 'both',
      describe: () => ({ sides: ['worker'] }),
      log: testLog,
    });
    const liar = new ScoreLiar({ identity, network, dir, closeSwarm: () => swarm.close() });
    network.on('peer', (peer) => liar.#store.replicate(peer.connection.stream));
    await liar.core.ready();
    await network.open();
    await network.discovered();
    return liar;
  }

  /** Appends an entry that an honest node might have written, or a key and value that it never would. */
  async put(entry: ScoreEntry | { key: string; value: unknown }): Promise<void> {
    const { key, value } = 'key' in entry ? entry : encodeEntry(entry, Math.max(1, this.core.length));
    await this.#bee.put(key, value);
  }

  /** Starts over with another log. */
  async changeLog(): Promise<void> {
    [this.core, this.#bee] = this.#newLog();
    await this.core.ready();
  }

  async claim(total: number, over: Partial<ScoreUpdate> = {}): Promise<ScoreUpdate> {
    const body = {
      type: 'score-update' as const,
      workerId: this.identity.id,
      total,
      seq: Math.max(0, this.core.length - 1),
      receiptsRoot: (await this.core.treeHash()).toString('hex'),
      logKey: this.core.key.toString('hex'),
      ...over,
    };
    return signEvidence<ScoreUpdate>(body, this.identity, Date.now());
  }

  say(message: ScoreMessage): void {
    for (const peer of this.network.peers.values()) peer.send(message);
  }

  async close(): Promise<void> {
    await this.network.close();
    await this.#closeSwarm();
    await this.#store.close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  #newLog(): [typeof this.core, Hyperbee] {
    const core = this.#store.get({ keyPair: hypercoreCrypto.keyPair() }) as typeof this.core;
    return [core, new Hyperbee(core, { keyEncoding: 'utf-8', valueEncoding: 'json' })];
  }
}
