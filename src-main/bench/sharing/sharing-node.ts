import { randomBytes } from 'node:crypto';
import type { Address } from 'hyperdht';
import { pino } from 'pino';
import { MODELS_NETWORK } from '../../mesh/sharing/messages.ts';
import { ModelSharing } from '../../mesh/sharing/model-sharing.ts';
import { modelsIdentity } from '../../mesh/sharing/models-identity.ts';
import { BanList } from '../../mesh/transport/guards/ban-list.ts';
import { identityFromSeed } from '../../mesh/transport/identity.ts';
import { MeshNetwork } from '../../mesh/transport/network.ts';
import { MeshSwarm } from '../../mesh/transport/swarm.ts';

/** A node of the models network on this machine. */
export interface SharingBenchNode {
  sharing: ModelSharing;
  close(): Promise<void>;
}

export async function openSharingNode(options: {
  folder: string;
  bootstrap: Address[];
  /** Bytes per second; null: no cap. */
  uploadLimit: number | null;
}): Promise<SharingBenchNode> {
  const { folder, bootstrap, uploadLimit } = options;
  const log = pino({ level: process.env.QUARRY_BENCH_LOG ?? 'silent' }, pino.destination(2));
  const identity = identityFromSeed(randomBytes(32));
  const bans = new BanList({ log });
  const swarm = new MeshSwarm({ identity: modelsIdentity(identity), bootstrap, bulk: true, bans, log });
  const network = new MeshNetwork({ ...MODELS_NETWORK, swarm, mode: 'both', log });
  const limits = { uploadLimit, diskLimit: null, trustedSigners: [] };
  const sharing = new ModelSharing({ network, identity, dataDir: folder, ...limits, log });
  await swarm.open();
  await sharing.open();
  await network.discovered();
  const close = async () => {
    await sharing.close();
    await swarm.close();
  };
  return { sharing, close };
}
