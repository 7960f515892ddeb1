import { hostname } from 'node:os';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { version } from '../../base/version.ts';
import type { CreditBook } from '../../credits/ledger/credit-book.ts';
import type { Config } from '../../settings/config.ts';
import type { NodeReading } from './reading.ts';

export interface StatusSources {
  config: Pick<Config, 'nodeName' | 'role' | 'mesh'>;
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
  identity,
  lock,
  credits,
  read,
  startedAt,
}: StatusSources): Promise<NodeStatus> {
  const { nodeName = hostname(), role } = config;
  return {
    id: identity.id,
    name: nodeName,
    version,
    role,
    mesh: config.mesh.name ?? 'public',
    startedAt,
    url: lock.url,
    ...read(),
    credits: await credits.holdings(),
  };
}
