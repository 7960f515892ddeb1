import { once } from 'node:events';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { PeersView, PeerView } from '../../../src-preload/contract/mesh.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { App } from '../app.ts';
import type { MeshNode } from '../parts/mesh.ts';

type ConnectedPeer = NonNullable<ReturnType<MeshNode['inference']['peers']['get']>>;
type WorkerStatus = ReturnType<MeshNode['client']['workers']>[number]['status'];

/** Without a new peer for this long, whoever is near has been met. */
const PEERS_QUIET_MS = 1_000;

/** Who is connected, and who is kept out. @throws NOT_RUNNING on a node that is on no mesh */
export function peersView(app: App): PeersView {
  const mesh = app.part('mesh');
  const { bans, scores } = mesh;
  const workers = new Map(mesh.client.workers().map(({ peer, status }) => [peer.id, status]));
  return {
    self: app.identity.id,
    peers: [...mesh.inference.peers.values()].map((peer) => peerView(app, peer, workers.get(peer.id))),
    bans: bans.list().map(({ nodeId, reason, expiresAt }) => ({ id: nodeId, reason, expiresAt })),
    marks: scores.marks().map(({ worker, reason, detail, expiresAt }) => ({ id: worker, reason, detail, expiresAt })),
  };
}

/**
 * Waits up to `waitMs` for the first peer, then until a second has passed without another.
 * @throws CANCELLED when the signal aborts
 */
export async function gatherPeers(app: App, waitMs: number, signal?: AbortSignal): Promise<PeersView> {
  const { inference } = app.part('mesh');
  const end = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])]);
  while (!end.aborted) {
    const quiet = inference.peers.size > 0 ? [AbortSignal.timeout(PEERS_QUIET_MS)] : [];
    const met = once(inference, 'peer', { signal: AbortSignal.any([end, ...quiet]) });
    if (!(await met.catch(ignoring('nobody else came in time')))) break;
  }
  if (signal?.aborted) throw new QuarryError({ code: 'CANCELLED', message: 'The wait for peers was cancelled.' });
  return peersView(app);
}

/** Ends the connection with a node and refuses it for some hours. @throws BAD_REQUEST for the node itself */
export function banPeer(app: App, { id, hours }: { id: string; hours: number }): PeersView {
  if (id === app.identity.id) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: 'This is the id of this node itself.', field: 'id' });
  }
  app.bans.ban(id, 'banned by hand', hours * 3_600_000);
  return peersView(app);
}

/** Lets a node come back before its ban is over. */
export function unbanPeer(app: App, id: string): PeersView {
  app.bans.lift(id);
  return peersView(app);
}

/** @param status what a worker said of itself last */
function peerView(app: App, peer: ConnectedPeer, status: WorkerStatus): PeerView {
  const { id, roles, hello, rttMs } = peer;
  const { tier, points } = app.standing(id);
  return {
    id,
    roles: [...roles],
    models: (status?.models ?? hello.models).map(({ name }) => name),
    health: status?.health.score,
    healthState: status?.health.state,
    tier,
    points,
    rttMs,
    queue: status?.queue.waiting,
    ready: status?.ready ?? false,
  };
}
