import type { Reachability } from '../../src-preload/contract/mesh.ts';
import { say, told } from '../../src-preload/contract/saying.ts';
import { NAT_FINDINGS, noAnswer, RANDOM_NAT_ADVICE } from '../hardware/nat.ts';

/** What a running node knows of its place on the DHT. */
export interface DhtFacts {
  /** Nodes answer. */
  online: boolean;
  firewalled: boolean;
  /** Every node sees another port. */
  randomized: boolean;
  /** Our address as others see it; null until one has answered. */
  host: string | null;
  port: number;
}

/**
 * How others find a node, from what its DHT node learnt by and by.
 * @param bootstrap the nodes of the settings; empty for the public ones
 */
export function reachability(dht: DhtFacts | undefined, bootstrap: { host: string; port: number }[]): Reachability {
  if (!dht?.online || dht.host === null) return { online: false, nat: 'unknown', ...told(noAnswer(bootstrap)) };
  const { host, port, randomized, firewalled } = dht;
  if (randomized) {
    const found = say('nat.othersAnswer', { finding: NAT_FINDINGS.random });
    return { online: true, nat: 'random', ...told({ found, advice: RANDOM_NAT_ADVICE }) };
  }
  const nat = firewalled ? 'consistent' : 'open';
  const found = say('nat.othersAnswer', { finding: NAT_FINDINGS[nat] });
  return { online: true, nat, address: `${host}:${port}`, ...told({ found }) };
}
