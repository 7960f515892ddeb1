import type { Logger } from 'pino';
import { version } from '../../base/version.ts';
import { MODELS_NETWORK } from '../../mesh/networks.ts';
import type { ModelsMessage } from '../../mesh/sharing/messages.ts';
import { ModelSharing } from '../../mesh/sharing/model-sharing.ts';
import { modelsIdentity } from '../../mesh/sharing/models-identity.ts';
import { bootstrapAddresses } from '../../mesh/transport/address.ts';
import type { BanList } from '../../mesh/transport/ban-list.ts';
import type { Identity } from '../../mesh/transport/identity.ts';
import { MeshNetwork } from '../../mesh/transport/network.ts';
import { MeshSwarm } from '../../mesh/transport/swarm.ts';
import type { Config } from '../../settings/config.ts';

export interface ModelsNodeOptions {
  config: Config;
  identity: Identity;
  bans: BanList;
  log: Logger;
}

/** This node's part in the models network, on a swarm of its own (docs/decisions/0002-one-swarm.md). A resource. */
export class ModelsNode {
  readonly sharing: ModelSharing;
  readonly #swarm: MeshSwarm;
  readonly #network: MeshNetwork<ModelsMessage>;

  constructor({ config, identity, bans, log }: ModelsNodeOptions) {
    const { connections, connectionsPerHost, framesPerSecond, bytesPerSecond } = config.limits;
    this.#swarm = new MeshSwarm({
      identity: modelsIdentity(identity),
      bootstrap: bootstrapAddresses(config.bootstrap),
      mesh: config.mesh,
      limits: { connections, connectionsPerHost, framesPerSecond, bytesPerSecond },
      bans,
      client: `quarry/${version}`,
      log,
    });
    const describe = () => ({ roles: [] });
    this.#network = new MeshNetwork({ ...MODELS_NETWORK, swarm: this.#swarm, mode: 'both', describe, log });
    this.sharing = new ModelSharing({
      network: this.#network,
      identity,
      dataDir: config.dataDir,
      uploadLimit: config.sharing.uploadLimit,
      diskLimit: config.sharing.diskLimit,
      trustedSigners: config.sharing.trustedSigners,
      log,
    });
  }

  async open(): Promise<void> {
    await this.#swarm.open();
    await this.sharing.open();
  }

  /** Resolves when the first look-up of others is done. */
  async discovered(): Promise<void> {
    await this.#network.discovered();
  }

  async close(): Promise<void> {
    await this.sharing.close();
    await this.#swarm.close();
  }
}
