import { randomBytes } from 'node:crypto';
import type { Address } from 'hyperdht';
import { type Logger, pino } from 'pino';
import type { z } from 'zod';
import { BanList } from '../../src-main/mesh/transport/guards/ban-list.ts';
import type { Limits } from '../../src-main/mesh/transport/guards/limits.ts';
import { type Identity, identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import { MeshNetwork, type MeshNetworkOptions } from '../../src-main/mesh/transport/network.ts';
import type { Peer } from '../../src-main/mesh/transport/peer.ts';
import { MeshSwarm } from '../../src-main/mesh/transport/swarm.ts';
import type { MeshName } from '../../src-main/mesh/transport/topic.ts';
import { TEST_MESH } from './mesh-name.ts';
import { PATIENCE_MS } from './patience.ts';

/** Set `QUARRY_TEST_LOG=debug` to see what the nodes say. */
export const testLog: Logger = pino({ level: process.env.QUARRY_TEST_LOG ?? 'silent' }, pino.destination(2));

export function randomIdentity(): Identity {
  return identityFromSeed(randomBytes(32));
}

export interface TestSwarmOptions {
  bootstrap: Address[];
  identity?: Identity;
  mesh?: MeshName;
  limits?: Partial<Limits>;
  bans?: BanList;
  bulk?: boolean;
  now?: () => number;
}

/** Whoever a test does not mean to find dead has all the time that a busy machine needs. */
const PATIENT: Partial<Limits> = { helloTimeoutMs: PATIENCE_MS, silenceMs: PATIENCE_MS };

/** An open swarm on a loopback testnet. The caller closes it. */
export async function openSwarm(options: TestSwarmOptions): Promise<MeshSwarm> {
  const swarm = new MeshSwarm({
    ...options,
    mesh: options.mesh ?? TEST_MESH,
    limits: { ...PATIENT, ...options.limits },
    identity: options.identity ?? randomIdentity(),
    bans: options.bans ?? new BanList({ log: testLog }),
    client: 'test/0',
    log: testLog,
  });
  await swarm.open();
  return swarm;
}

/** An open network on a swarm; its announcement is done when this resolves. */
export async function openNetwork<M extends { type: string }>(
  swarm: MeshSwarm,
  network: { name: MeshNetworkOptions<M>['name']; schema: z.ZodType<M>; maxFrame: number },
  mode: MeshNetworkOptions<M>['mode'],
): Promise<MeshNetwork<M>> {
  const sides = mode === 'client' ? (['client'] as const) : (['worker'] as const);
  const opened = new MeshNetwork({ ...network, swarm, mode, describe: () => ({ sides: [...sides] }), log: testLog });
  await opened.open();
  await opened.discovered();
  return opened;
}

/** The network's first peer, or the one with this id, as soon as it has said hello. */
export function peerOf<M extends { type: string }>(network: MeshNetwork<M>, id?: string): Promise<Peer<M>> {
  const there = id ? network.peers.get(id) : network.peers.values().next().value;
  if (there) return Promise.resolve(there);
  return new Promise((resolve) => {
    const onPeer = (peer: Peer<M>) => {
      if (id && peer.id !== id) return;
      network.off('peer', onPeer);
      resolve(peer);
    };
    network.on('peer', onPeer);
  });
}
