import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { fingerprint } from '../../../../src-preload/contract/pairing-code.ts';

/** The same nodes; those that share a name have the first four characters of their fingerprint behind it. */
export function toldApart(nodes: readonly FleetNode[]): FleetNode[] {
  const isShared = ({ id, name }: FleetNode) => nodes.some((other) => other.id !== id && other.name === name);
  return nodes.map((node) =>
    isShared(node) ? { ...node, name: `${node.name} · ${fingerprint(node.id).slice(0, 4)}` } : node,
  );
}
