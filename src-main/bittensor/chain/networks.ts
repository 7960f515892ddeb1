import { z } from 'zod';
import { BLOCK_MS } from '../../../src-preload/contract/block-time.ts';
import type { ChainNetwork } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { PUBLIC_ENDPOINTS } from '../public-endpoints.ts';

/** A chain, and where it can be reached. */
export interface Network {
  name: ChainNetwork;
  /** Tried in this order, `wss://…` or `ws://…`. */
  endpoints: readonly string[];
  /** Hash of the first block, `0x…`: an endpoint with another one is of another chain. Undefined for a chain that is made anew each time. */
  genesis: string | undefined;
}

/** The first blocks as the chains themselves give them. */
const NETWORKS: Record<ChainNetwork, Network> = {
  finney: {
    name: 'finney',
    endpoints: PUBLIC_ENDPOINTS.finney,
    genesis: '0x2f0555cc76fc2840a25a6ea3b9637146806f1f44b090c175ffde2a7e5ab36c03',
  },
  test: {
    name: 'test',
    endpoints: PUBLIC_ENDPOINTS.test,
    genesis: '0x8f9cf856bf558a14440e75569c9e58594757048d7b3a84b5d25f6bd978263105',
  },
  local: { name: 'local', endpoints: PUBLIC_ENDPOINTS.local, genesis: undefined },
};

const MOST_URL_CHARS = 300;
const OWN = z.url({ protocol: /^wss?$/ }).max(MOST_URL_CHARS);

/** Milliseconds in which so many blocks can come, at the least: of a chain of one's own as fast as one likes. */
export function fastest(network: ChainNetwork, blocks: number): number {
  return network === 'local' ? 0 : blocks * BLOCK_MS;
}

/**
 * A network by its name, reached at its own endpoints or at somebody's own one, which is then the only one: who names a node of his
 * own does not want to be told by others when it is away.
 *
 * @param own `wss://…` or `ws://…`
 * @throws BAD_REQUEST with the field `endpoint` for what is no such address
 */
export function networkOf(name: ChainNetwork, own?: string): Network {
  if (own === undefined) return NETWORKS[name];
  if (!OWN.safeParse(own).success) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.noEndpoint'), field: 'endpoint' });
  }
  return { ...NETWORKS[name], endpoints: [own] };
}
