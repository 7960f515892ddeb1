import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from 'hyperdht';
import type { ModelsMessage } from '../../src-main/mesh/sharing/messages.ts';
import { MODELS_NETWORK } from '../../src-main/mesh/sharing/messages.ts';
import {
  ModelSharing,
  type ModelSharingOptions,
  type ModelToShare,
} from '../../src-main/mesh/sharing/model-sharing.ts';
import { modelsIdentity } from '../../src-main/mesh/sharing/models-identity.ts';
import { BanList } from '../../src-main/mesh/transport/guards/ban-list.ts';
import type { Identity } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork } from '../../src-main/mesh/transport/network.ts';
import type { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import type { MeshName } from '../../src-main/mesh/transport/topic.ts';
import type { ByteSource } from '../../src-main/models/downloads/byte-source.ts';
import { openSwarm, randomIdentity, testLog } from './mesh-node.ts';

/** Long enough for peers that are honest and have little of a busy machine. */
export const FAST = { findMs: 3_000, stallMs: 20_000, peerStallMs: 2_000, lonelyMs: 2_000 };

export interface SharingNode {
  identity: Identity;
  dir: string;
  swarm: MeshSwarm;
  network: MeshNetwork<ModelsMessage>;
  sharing: ModelSharing;
  close(): Promise<void>;
}

export type SharingNodeOptions = Partial<
  Pick<ModelSharingOptions, 'uploadLimit' | 'diskLimit' | 'trustedSigners' | 'timing'>
> & { bootstrap: Address[]; identity?: Identity; dir?: string; mesh?: MeshName; bans?: BanList };

/** A node on the models network of a testnet; its folder outlives it. */
export async function openSharingNode(options: SharingNodeOptions): Promise<SharingNode> {
  const { bootstrap, mesh, identity = randomIdentity(), bans = new BanList({ log: testLog }) } = options;
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'quarry-sharing-')));
  const swarm = await openSwarm({ bootstrap, mesh, identity: modelsIdentity(identity), bulk: true, bans });
  const network = new MeshNetwork({
    ...MODELS_NETWORK,
    swarm,
    mode: 'both',
    log: testLog,
  });
  const sharing = new ModelSharing({
    network,
    identity,
    dataDir: dir,
    uploadLimit: options.uploadLimit ?? null,
    diskLimit: options.diskLimit ?? null,
    trustedSigners: options.trustedSigners ?? [],
    timing: options.timing ?? FAST,
    log: testLog,
  });
  await sharing.open();
  await network.discovered();
  const close = async () => {
    await sharing.close();
    await swarm.close();
  };
  return { identity, dir, swarm, network, sharing, close };
}

/** A file of random bytes that stands for a model. */
export async function randomModel(folder: string, bytes: number, name = 'model'): Promise<ModelToShare> {
  return await modelOf(folder, randomBytes(bytes), name);
}

export async function modelOf(folder: string, content: Buffer, name = 'model'): Promise<ModelToShare> {
  const path = join(folder, `${randomBytes(4).toString('hex')}.gguf`);
  await writeFile(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const facts = { licence: 'Apache-2.0', quantisation: 'Q4_K_M', contextLength: 4_096 };
  return { name, path, bytes: content.length, sha256, ...facts };
}

/** Shares a model and waits until it is offered. */
export async function shareNow({ sharing }: SharingNode, model: ModelToShare): Promise<void> {
  await sharing.share(model);
  await shared(sharing, model.name);
}

export async function shared(sharing: ModelSharing, name: string): Promise<void> {
  for (;;) {
    const found = sharing.status().models.find((model) => model.name === name);
    if (found?.problem) throw new Error(found.problem);
    if (found?.state === 'shared') return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Reads a range (default: the whole file) from a source; 64 hex of its SHA-256. */
export async function sha256From(source: ByteSource, bytes: number, start = 0, end = bytes): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.read({ start, end }, new AbortController().signal)) hash.update(chunk);
  return hash.digest('hex');
}

export async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}
