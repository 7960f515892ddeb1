import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Address } from 'hyperdht';
import type { Logger } from 'pino';
import { type CreditBook, openCreditBook } from '../credits/ledger/credit-book.ts';
import type { InferenceMessage } from '../mesh/inference/messages.ts';
import { INFERENCE_NETWORK } from '../mesh/inference/messages.ts';
import { BanList } from '../mesh/transport/guards/ban-list.ts';
import { type Identity, identityFromSeed, verify } from '../mesh/transport/identity.ts';
import { MeshNetwork } from '../mesh/transport/network.ts';
import { MeshSwarm } from '../mesh/transport/swarm.ts';
import { type Db, openDatabase } from '../store/database.ts';

export interface BenchNodeOptions {
  bootstrap: Address[];
  mode: 'server' | 'client';
  /** Where the books are kept. Default: in memory. */
  folder?: string;
  log: Logger;
}

/** One node of a mesh on this machine, with books that never run dry. */
export class BenchNode {
  readonly identity: Identity = identityFromSeed(randomBytes(32));
  readonly network: MeshNetwork<InferenceMessage>;
  readonly #swarm: MeshSwarm;
  readonly #folder: string | undefined;
  readonly #log: Logger;
  #db: Db | undefined;
  #credits: CreditBook | undefined;

  constructor(options: BenchNodeOptions) {
    const { folder, bootstrap, mode, log } = options;
    const { identity } = this;
    const sides = mode === 'server' ? (['worker'] as const) : (['client'] as const);
    this.#folder = folder;
    this.#log = log;
    this.#swarm = new MeshSwarm({ identity, bootstrap, bans: new BanList({ log }), log });
    const describe = () => ({ sides: [...sides] });
    this.network = new MeshNetwork({ ...INFERENCE_NETWORK, swarm: this.#swarm, mode, describe, log });
  }

  get credits(): CreditBook {
    if (!this.#credits) throw new Error('The node is not open.');
    return this.#credits;
  }

  async open(): Promise<void> {
    const { identity } = this;
    const db = await openDatabase(this.#folder ? join(this.#folder, `${identity.id.slice(0, 16)}.db`) : ':memory:');
    this.#db = db;
    // Everybody is served: what is measured is not who may be.
    this.#credits = await openCreditBook({ db, identity, verify, rule: 'witnessed', log: this.#log });
    await this.#swarm.open();
    await this.network.open();
    await this.network.discovered();
  }

  async close(): Promise<void> {
    await this.network.close();
    await this.#swarm.close();
    await this.#credits?.close();
    await this.#db?.destroy();
  }
}
