import { say } from '../../../../src-preload/contract/saying.ts';
import { closeAll } from '../../../base/close-all.ts';
import type { ModelsMessage } from '../../../mesh/sharing/messages.ts';
import { MODELS_NETWORK } from '../../../mesh/sharing/messages.ts';
import { ModelSharing, type SharingNetwork } from '../../../mesh/sharing/model-sharing.ts';
import { modelsIdentity } from '../../../mesh/sharing/models-identity.ts';
import { MeshNetwork } from '../../../mesh/transport/network.ts';
import type { MeshSwarm } from '../../../mesh/transport/swarm.ts';
import type { Config } from '../../../settings/config.ts';
import type { Core } from '../core.ts';
import type { Lack } from '../need.ts';
import { createSwarm } from './swarm.ts';

export const NO_SHARING: Lack = { message: say('node.notOnModels'), hint: say('node.joinModels') };

/** This node's place in the models network: it shares model files and versions of adapters, and fetches them from peers. */
export type SharingPart = SharingNetwork;

/** Who has a reason to join. */
export function wantsSharing({ models, sharing }: Config): boolean {
  return models.fromPeers || sharing.seed;
}

/** Joins the models network. */
export async function openSharing(core: Core): Promise<SharingPart> {
  const node = new SharingNode(core);
  core.onClose(() => node.close());
  await node.open();
  core.settings.follow('sharing.uploadLimit').whenSet((limit) => node.sharing.limit(limit));
  return node;
}

/** The models network on a swarm of its own (docs/decisions/0002-one-swarm.md). A resource. */
class SharingNode implements SharingPart {
  readonly sharing: ModelSharing;
  readonly #swarm: MeshSwarm;
  readonly #network: MeshNetwork<ModelsMessage>;

  constructor(core: Core) {
    const { config, settings, identity, log } = core;
    this.#swarm = createSwarm(core, modelsIdentity(identity), { bulk: true });
    this.#network = new MeshNetwork({ ...MODELS_NETWORK, swarm: this.#swarm, mode: 'both', log });
    this.sharing = new ModelSharing({
      network: this.#network,
      identity,
      dataDir: config.dataDir,
      uploadLimit: settings.follow('sharing.uploadLimit').now,
      diskLimit: config.sharing.diskLimit,
      trustedSigners: config.sharing.trustedSigners,
      log,
    });
  }

  async open(): Promise<void> {
    await this.#swarm.open();
    await this.sharing.open();
  }

  async discovered(): Promise<void> {
    await this.#network.discovered();
  }

  async close(): Promise<void> {
    await closeAll(
      () => this.sharing.close(),
      () => this.#swarm.close(),
    );
  }
}
