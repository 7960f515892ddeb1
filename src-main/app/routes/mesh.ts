import type { App } from '../app.ts';
import { banPeer, gatherPeers, peersView, unbanPeer } from '../node/peers.ts';
import { reachabilityOf } from '../node/reachability.ts';
import { watched } from '../node/watched.ts';
import { type Implementer, named } from './implementer.ts';

/** The contract's `mesh`. */
export function meshRouter(os: Implementer['mesh'], app: App) {
  return {
    peers: os.peers.handler(({ input, signal }) => gatherPeers(app, input.waitMs, signal)),
    watchPeers: os.watchPeers.handler(({ signal }) =>
      named(
        watched(() => peersView(app), app.changes, app.until(signal)),
        app,
      ),
    ),
    reachability: os.reachability.handler(() => reachabilityOf(app)),
    ban: os.ban.handler(({ input }) => banPeer(app, input)),
    unban: os.unban.handler(({ input }) => unbanPeer(app, input.id)),
  };
}
