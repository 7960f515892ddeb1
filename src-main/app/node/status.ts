import { hostname } from 'node:os';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { version } from '../../base/version.ts';
import type { CreditBook } from '../../credits/ledger/credit-book.ts';
import type { HealthMonitor } from '../../hardware/health.ts';
import type { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { Config } from '../../settings/config.ts';
import type { MeshWork } from '../engine/mesh-work.ts';
import type { MiningSwitch } from '../engine/mining-switch.ts';
import type { Peers } from './peers.ts';

/** What the status is made of: of each part no more than is shown. */
export interface StatusSources {
  config: Pick<Config, 'nodeName' | 'role' | 'mesh'>;
  identity: { id: string };
  /** Knows where the node's API is. */
  lock: { url: string | undefined };
  credits: Pick<CreditBook, 'holdings'>;
  engine: { slot: Pick<EngineSlot, 'empty' | 'status'> } | undefined;
  mesh: { peers: Pick<Peers, 'count' | 'clockOffsets'>; refused: number } | undefined;
  mining:
    | {
        switch: Pick<MiningSwitch, 'view'>;
        health: Pick<HealthMonitor, 'current'>;
        policy: Pick<PolicyWatcher, 'current'>;
        work: Pick<MeshWork, 'queue' | 'speed' | 'served'>;
      }
    | undefined;
  /** Unix milliseconds. */
  startedAt: number;
}

/** What a node is and does now. */
export async function nodeStatus(sources: StatusSources): Promise<NodeStatus> {
  const { config, identity, lock, credits, mesh, mining, startedAt } = sources;
  const { nodeName = hostname(), role } = config;
  const policy = mining?.policy.current();
  const served = mining?.work.served ?? { requests: 0, tokens: 0 };
  return {
    id: identity.id,
    name: nodeName,
    version,
    role,
    mesh: config.mesh.name ?? 'public',
    startedAt,
    url: lock.url,
    engine: engineStatus(sources.engine?.slot),
    mining: mining?.switch.view(),
    health: mining?.health.current(),
    policy: policy && { mode: policy.mode, reasons: policy.reasons, rules: policy.rules },
    queue: mining?.work.queue() ?? { waiting: 0, active: 0, waits: [] },
    speed: mining?.work.speed.average(),
    peers: mesh?.peers.count ?? 0,
    peerClockOffsetsMs: mesh?.peers.clockOffsets() ?? [],
    served: { ...served, refused: mesh?.refused ?? 0 },
    credits: await credits.holdings(),
  };
}

function engineStatus(slot: Pick<EngineSlot, 'empty' | 'status'> | undefined): NodeStatus['engine'] {
  if (!slot || slot.empty) return { state: 'none', active: 0, waiting: 0 };
  const { state, model, active, waiting, error } = slot.status();
  return {
    state,
    active,
    waiting,
    ...told({ error: error && wordsOf(error, 'message') }),
    model: model && { ...model, tiny: model.tiny ?? false },
  };
}
