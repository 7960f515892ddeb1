import { MeshNetwork, type MeshNetworkOptions } from '../transport/network.ts';
import type { PairedNodes } from './paired-nodes.ts';

export interface PairedNetworkOptions<M extends { type: string }>
  extends Pick<MeshNetworkOptions<M>, 'swarm' | 'name' | 'schema' | 'maxFrame' | 'log'> {
  nodes: Pick<PairedNodes, 'has'>;
}

/** A network of the nodes of one owner: on no DHT, and open to paired nodes alone. */
export function pairedNetwork<M extends { type: string }>({
  nodes,
  ...options
}: PairedNetworkOptions<M>): MeshNetwork<M> {
  return new MeshNetwork({ ...options, mode: 'none', opensTo: (id) => nodes.has(id), describe: () => ({ sides: [] }) });
}
