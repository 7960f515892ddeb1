import type { NodeStatus } from '../../src-preload/contract/node.ts';
import { type NodeStanding, nodeStanding } from '../../src-preload/contract/standing.ts';

/** How mining stands, as one word. `connecting`: nobody can say, the connection to main is lost, or has not been there yet. */
export type Standing = 'connecting' | NodeStanding;

/** How this node stands. @param connected whether main is in reach */
export function standingOf(status: NodeStatus | undefined, connected: boolean): Standing {
  return status && connected ? nodeStanding(status) : 'connecting';
}
