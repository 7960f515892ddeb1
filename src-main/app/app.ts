import type { createRouter, Parts } from './domains.ts';
import type { Core } from './parts/core.ts';
import type { ServerPart } from './parts/node/server.ts';

/** A composed node: what every node has, the parts that this one has, and what is made of them. Disposing of it closes it. */
export interface App extends Core, Parts, AsyncDisposable {
  /** The contract's implementation, for whoever serves it. */
  readonly contract: ReturnType<typeof createRouter>;
  readonly server: ServerPart | undefined;
  /** Begins nothing more, and resolves when what is under way has come to its end: before the node is closed, where there is time for it. */
  drain(): Promise<void>;
}
