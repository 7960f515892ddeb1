import type { NatKind } from './nat.ts';

/** What each kind of NAT means, as the end of a sentence. */
export const NAT_FINDINGS: Record<NatKind, string> = {
  open: 'others reach this computer directly (open, no NAT in the way)',
  consistent:
    'the router keeps one address for this computer (consistent NAT), so peers can be reached by hole punching',
  random: 'the router shows another address to every peer (random or symmetric NAT)',
  unknown: 'one node alone cannot tell the kind of NAT',
};

/** What to do about a random NAT. */
export const RANDOM_NAT_ADVICE =
  'Peers behind the same kind of NAT cannot be reached. Forward a UDP port, or switch off «symmetric NAT» or a VPN.';

/**
 * Nobody answered: what that means and what to do.
 * @param bootstrap the nodes that were asked; empty for the public ones
 */
export function noAnswer(bootstrap: { host: string; port: number }[]): { found: string; advice: string } {
  const asked = bootstrap.map(({ host, port }) => `${host}:${port}`).join(', ') || 'the public DHT';
  const advice =
    bootstrap.length > 0
      ? 'Check that the bootstrap node runs (quarry bootstrap), that the address is right, and that no firewall stops UDP.'
      : 'Check that the computer is online and that its firewall and router let UDP out; company networks often do not.';
  return { found: `No answer from ${asked}: offline, or UDP is blocked.`, advice };
}
