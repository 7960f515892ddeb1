import { type MeshPart, NO_MESH } from '../parts/mesh/mesh.ts';
import { need } from '../parts/need.ts';
import type { Domain } from './implementer.ts';

/** The contract's `mesh`. */
export function meshRoutes({ os, named }: Domain<'mesh'>, part: Pick<MeshPart, 'peers' | 'reachability'> | undefined) {
  const mesh = () => need(part, NO_MESH);
  return {
    peers: os.peers.handler(({ input, signal }) => mesh().peers.gather(input.waitMs, signal)),
    watchPeers: os.watchPeers.handler(({ signal }) => named(mesh().peers.watch(signal))),
    reachability: os.reachability.handler(() => mesh().reachability()),
    ban: os.ban.handler(({ input }) => mesh().peers.ban(input)),
    unban: os.unban.handler(({ input }) => mesh().peers.unban(input.id)),
  };
}
