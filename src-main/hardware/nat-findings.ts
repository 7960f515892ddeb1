import { type Saying, say } from '../../src-preload/contract/saying.ts';
import type { NatKind } from './nat.ts';

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
