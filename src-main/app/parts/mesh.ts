import type { Logger } from 'pino';
import { version } from '../../base/version.ts';
import type { CreditBook } from '../../credits/credit-book.ts';
import type { InferenceBackend } from '../../inference/backend.ts';
import { MeshClient } from '../../mesh/asking/client.ts';
import { INFERENCE_NETWORK, SCORES_NETWORK } from '../../mesh/networks.ts';
import { ScoreNetwork } from '../../mesh/scores/score-network.ts';
import { servedModels } from '../../mesh/serving/worker.ts';
import { bootstrapAddresses } from '../../mesh/transport/address.ts';
import type { BanList } from '../../mesh/transport/ban-list.ts';
import type { Identity } from '../../mesh/transport/identity.ts';
import { type InferenceMessage, VALIDATOR_CAP } from '../../mesh/transport/messages.ts';
import { MeshNetwork } from '../../mesh/transport/network.ts';
import { MeshSwarm } from '../../mesh/transport/swarm.ts';
import type { Config } from '../../settings/config.ts';
import type { Db } from '../../store/database.ts';

export interface MeshNodeOptions {
  config: Config;
  identity: Identity;
  db: Db;
  bans: BanList;
  credits: CreditBook;
  /** What this node serves to others; absent on a client. */
  backend: InferenceBackend | undefined;
  log: Logger;
}

/** This node's part in the mesh: one swarm, the inference and score networks, and a client. A resource. */
export class MeshNode {
  readonly bans: BanList;
  readonly swarm: MeshSwarm;
  readonly inference: MeshNetwork<InferenceMessage>;
  readonly client: MeshClient;
  readonly scores: ScoreNetwork;

  constructor({ config, identity, db, bans, credits, backend, log }: MeshNodeOptions) {
    const { connections, connectionsPerHost, framesPerSecond, bytesPerSecond } = config.limits;
    this.bans = bans;
    this.swarm = new MeshSwarm({
      identity,
      bootstrap: bootstrapAddresses(config.bootstrap),
      mesh: config.mesh,
      limits: { connections, connectionsPerHost, framesPerSecond, bytesPerSecond },
      bans,
      client: `quarry/${version}`,
      log,
    });
    const mode = backend ? 'both' : 'client';
    const roles = backend ? (['worker', 'client'] as const) : (['client'] as const);
    const caps = config.role === 'validator' ? [VALIDATOR_CAP] : [];
    const describe = () => ({ roles: [...roles], models: backend ? servedModels(backend) : [], caps });
    this.inference = new MeshNetwork({ ...INFERENCE_NETWORK, swarm: this.swarm, mode, describe, log });
    const scores = new MeshNetwork({ ...SCORES_NETWORK, swarm: this.swarm, mode: 'both', describe, log });
    this.client = new MeshClient({ network: this.inference, identity, credits: credits.client, log });
    this.scores = new ScoreNetwork({ network: scores, identity, credits, db, dataDir: config.dataDir, log });
  }

  async open(): Promise<void> {
    await this.swarm.open();
    await this.scores.open();
    await this.inference.open();
    await this.client.open();
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.inference.close();
    await this.scores.close();
    await this.swarm.close();
  }
}
