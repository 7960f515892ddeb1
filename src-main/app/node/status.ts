import { hostname } from 'node:os';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { version } from '../../base/version.ts';
import type { CreditBook } from '../../credits/ledger/credit-book.ts';
import type { FixedConfig } from '../../settings/config.ts';
import type { NodeReading } from './reading.ts';

export interface StatusSources {
  config: Pick<FixedConfig, 'role' | 'mesh'>;
  /** What its people call it; undefined where they call it nothing. */
  name: () => string | undefined;
  identity: { id: string };
  /** Knows where the node's API is. */
  lock: { url: string | undefined };
  credits: Pick<CreditBook, 'holdings'>;
  read: () => NodeReading;
  /** Unix milliseconds. */
  startedAt: number;
}

/** Who a node is, what it does now, and what it has. */
export async function nodeStatus({
  config,
  name,
  identity,
  lock,
  credits,
  read,
  startedAt,
}: StatusSources): Promise<NodeStatus> {
  return {
    id: identity.id,
    name: name() ?? hostname(),
    version,
    role: config.role,
    mesh: config.mesh.name ?? 'public',
    startedAt,
    url: lock.url,
    ...read(),
    credits: await credits.holdings(),
  };
}
