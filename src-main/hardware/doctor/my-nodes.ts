import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';
import { daysSince } from './days-since.ts';

/** What counts of a node that is paired with this one. */
export interface PairedNodeFacts {
  online: boolean;
  /** Of one that is away: when it was heard last, Unix milliseconds. */
  seenAt?: number | undefined;
}

/**
 * Whether the other nodes of this node's owner are in reach. One that is away may be switched off; where all are, it may be this one.
 * It names none of them: the finding also goes into the bundle for a helper.
 * @param now Unix milliseconds
 */
export function checkMyNodes(others: readonly PairedNodeFacts[], now: number): CheckResult {
  const name = 'my nodes';
  const paired = others.length;
  if (paired === 0) return { name, status: 'skip', ...told({ found: say('doctor.nodes.none') }) };
  const online = others.filter((node) => node.online).length;
  const days = Math.max(0, ...others.map(({ seenAt }) => (seenAt === undefined ? 0 : daysSince(seenAt, now))));
  const found =
    days > 0 ? say('doctor.nodes.away', { online, paired, days }) : say('doctor.nodes.connected', { online, paired });
  if (online > 0) return { name, status: 'ok', ...told({ found }) };
  return { name, status: 'warn', ...told({ found, advice: say('doctor.nodes.look') }) };
}
