import type { NodeStatus } from './node.ts';

/** How mining stands at a node, as one word; what outweighs the rest comes first. */
export const NODE_STANDINGS = [
  /** This node only asks. */
  'client',
  'stopped',
  'starting',
  'stopping',
  /** The last start failed, or the engine keeps failing. */
  'failed',
  /** By a rule of the load policy, as is `slowed`. */
  'paused',
  /** Busy with other things: no new requests are taken. */
  'refusing',
  /** Nobody is connected who could ask. */
  'alone',
  'slowed',
  /** Nobody asks right now. */
  'ready',
  'mining',
] as const;
export type NodeStanding = (typeof NODE_STANDINGS)[number];

/** How a node stands. */
export function nodeStanding({
  mining,
  engine,
  policy,
  health,
  peers,
  queue,
}: Pick<NodeStatus, 'mining' | 'engine' | 'policy' | 'health' | 'peers' | 'queue'>): NodeStanding {
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
