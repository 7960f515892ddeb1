import { type Saying, say } from '../../src-preload/contract/saying.ts';

/** How the network shows this computer to others. */
export type NatKind = 'open' | 'consistent' | 'random' | 'unknown';

export interface Endpoint {
  host: string;
  port: number;
}

export interface NatObservations {
  /** The address each other node saw us under, all asked from the same socket. */
  seenAs: Endpoint[];
  /** Nodes reached a port of ours that had not written to them first. */
  reachable: boolean;
  /** Addresses of this computer's own network cards. */
  ownHosts: string[];
}

/**
 * What kind of NAT stands between this computer and the network (RFC 4787 calls it the mapping behaviour):
 * - open: there is none, or strangers reach us through it;
 * - consistent: everyone sees the same address, so hole punching works;
 * - random: every one sees another address (symmetric NAT), so only open or consistent peers can be reached;
 * - unknown: nobody answered, or one alone, who has nobody to be compared with.
 */
export function classifyNat({ seenAs, reachable, ownHosts }: NatObservations): NatKind {
  if (seenAs.length === 0) return 'unknown';
  if (reachable || seenAs.every(({ host }) => ownHosts.includes(host))) return 'open';
  if (new Set(seenAs.map(({ host, port }) => `${host}:${port}`)).size > 1) return 'random';
  return seenAs.length > 1 ? 'consistent' : 'unknown';
}

/** What each kind of NAT means, as the end of a sentence. */
export const NAT_FINDINGS: Record<NatKind, Saying> = {
  open: say('nat.open'),
  consistent: say('nat.consistent'),
  random: say('nat.random'),
  unknown: say('nat.unknown'),
};

/** What to do about a random NAT. */
export const RANDOM_NAT_ADVICE: Saying = say('nat.forward');

/**
 * Nobody answered: what that means and what to do.
 * @param bootstrap the nodes that were asked; empty for the public ones
 */
export function noAnswer(bootstrap: { host: string; port: number }[]): { found: Saying; advice: Saying } {
  const asked = bootstrap.length > 0 ? bootstrap.map(({ host, port }) => `${host}:${port}`) : say('nat.publicDht');
  const advice = bootstrap.length > 0 ? say('nat.checkBootstrap') : say('nat.checkOnline');
  return { found: say('nat.noAnswer', { asked }), advice };
}
