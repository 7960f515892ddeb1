import type { NodeStatus } from '../../src-preload/contract/node.ts';

/** How mining stands, as one word; what outweighs the rest comes first. */
export type Standing =
  /** Nobody can say: the connection to main is lost, or has not been there yet. */
  | 'connecting'
  /** This node only asks. */
  | 'client'
  | 'stopped'
  | 'starting'
  | 'stopping'
  /** The last start failed, or the engine keeps failing. */
  | 'failed'
  /** By a rule of the load policy, as is `slowed`. */
  | 'paused'
  /** Busy with other things: no new requests are taken. */
  | 'refusing'
  /** Nobody is connected who could ask. */
  | 'alone'
  | 'slowed'
  /** Nobody asks right now. */
  | 'ready'
  | 'mining';

/** How a node stands. @param connected whether main is in reach */
export function standingOf(status: NodeStatus | undefined, connected: boolean): Standing {
  if (!status || !connected) return 'connecting';
  const { mining, engine, policy, health, peers, queue } = status;
  if (!mining) return 'client';
  if (mining.state === 'stopped') return mining.error ? 'failed' : 'stopped';
  if (mining.state !== 'running') return mining.state;
  if (engine.state === 'broken') return 'failed';
  if (engine.state === 'restarting') return 'starting';
  if (policy?.mode === 'paused') return 'paused';
  if (health && !health.accepting) return 'refusing';
  if (peers === 0) return 'alone';
  if (policy?.mode === 'throttled') return 'slowed';
  return queue.active > 0 ? 'mining' : 'ready';
}
