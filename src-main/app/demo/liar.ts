import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Hyperbee from 'hyperbee';
import type Hypercore from 'hypercore';
import hypercoreCrypto from 'hypercore-crypto';
import type { Logger } from 'pino';
import { closeAll } from '../../base/close-all.ts';
import { costOf } from '../../credits/price.ts';
import { type Receipt, receiptBytes } from '../../credits/receipt.ts';
import { pointsFor } from '../../credits/score/points.ts';
import { encodeEntry } from '../../mesh/scores/score-entry.ts';
import type { ScoreMessage, ScoreUpdate } from '../../mesh/scores/score-messages.ts';
import { SCORES_NETWORK } from '../../mesh/scores/score-messages.ts';
import { CoreStore } from '../../mesh/transport/core-store.ts';
import { signEvidence } from '../../mesh/transport/envelope.ts';
import { BanList } from '../../mesh/transport/guards/ban-list.ts';
import { type Identity, identityFromSeed } from '../../mesh/transport/identity.ts';
import { MeshNetwork } from '../../mesh/transport/network.ts';
import { MeshSwarm } from '../../mesh/transport/swarm.ts';

/**
 * Somebody who serves nobody, signs a few receipts with a second key of its own, and claims as many points as it likes. It speaks the
 * protocol of the scores network as everybody does; only the claim is false. A resource.
 */
export class Liar implements AsyncDisposable {
  readonly #identity = newIdentity();
  /** A client that is the liar itself: keys cost nothing. */
  readonly #puppet = newIdentity();
  readonly #folder: string;
  readonly #swarm: MeshSwarm;
  readonly #network: MeshNetwork<ScoreMessage>;
  readonly #store: CoreStore;
  readonly #core: Hypercore;
  readonly #log: Hyperbee;

  /** @param options.folder the demonstration's: for its score log, which goes with it */
  constructor({
    bootstrap,
    folder,
    log,
  }: { bootstrap: { host: string; port: number }[]; folder: string; log: Logger }) {
    const identity = this.#identity;
    this.#folder = join(folder, `liar-${identity.id.slice(0, 8)}`);
    this.#swarm = new MeshSwarm({ identity, bootstrap, bans: new BanList({ log }), log });
    const describe = () => ({ sides: ['worker' as const] });
    this.#network = new MeshNetwork({ ...SCORES_NETWORK, swarm: this.#swarm, mode: 'both', describe, log });
    this.#store = new CoreStore(this.#folder);
    this.#core = this.#store.get({ keyPair: hypercoreCrypto.keyPair() });
    this.#log = new Hyperbee(this.#core, { keyEncoding: 'utf-8', valueEncoding: 'json' });
  }

  get id(): string {
    return this.#identity.id;
  }

  /** Joins the network; everybody whom it meets may read its log. */
  async open(): Promise<void> {
    await this.#core.ready();
    this.#network.follow((peer) => void this.#store.replicate(peer.connection.stream));
    await this.#swarm.open();
    await this.#network.open();
  }

  /** Whether it has met all of them. */
  hasMet(ids: string[]): boolean {
    return ids.every((id) => this.#network.peers.has(id));
  }

  /** Puts so many made-up receipts into its log. Each is as it should be: only that nobody was served. */
  async makeUp(receipts: number): Promise<void> {
    for (let made = 0; made < receipts; made++) {
      const { key, value } = encodeEntry({ type: 'receipt', receipt: this.#receipt() }, Math.max(1, this.#core.length));
      await this.#log.put(key, value);
    }
  }

  /** Tells all whom it has met that it has so many points. */
  async claim(total: number): Promise<void> {
    const claim = signEvidence<ScoreUpdate>(
      {
        type: 'score-update',
        workerId: this.#identity.id,
        total,
        seq: this.#core.length - 1,
        receiptsRoot: (await this.#core.treeHash()).toString('hex'),
        logKey: this.#core.key.toString('hex'),
      },
      this.#identity,
      Date.now(),
    );
    for (const peer of this.#network.peers.values()) peer.send(claim);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll(
      () => this.#network.close(),
      () => this.#swarm.close(),
      () => this.#store.close(),
      () => rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }),
    );
  }

  #receipt(): Receipt {
    const figures = { promptChars: 60, resultChars: 240, processingMs: 400, promptTokens: 20, completionTokens: 60 };
    const body = {
      v: 2 as const,
      requestId: randomBytes(16).toString('hex'),
      worker: this.#identity.id,
      client: this.#puppet.id,
      model: 'made-up',
      promptHash: randomBytes(32).toString('hex'),
      resultHash: randomBytes(32).toString('hex'),
      ...figures,
      firstTokenMs: 50,
      servedAt: Date.now(),
      points: pointsFor(figures),
      cost: costOf(figures),
    };
    const bytes = receiptBytes(body);
    return { body, workerSig: this.#identity.sign(bytes), clientSig: this.#puppet.sign(bytes) };
  }
}

function newIdentity(): Identity {
  return identityFromSeed(randomBytes(32));
}
