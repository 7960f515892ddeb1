import { hostname } from 'node:os';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { version } from '../../base/version.ts';
import type { App } from '../app.ts';

/** What a node is and does now. */
export async function nodeStatus(app: App): Promise<NodeStatus> {
  const policy = app.policy?.current();
  const peers = [...(app.mesh?.inference.peers.values() ?? [])];
  const { nodeName = hostname(), role, mesh } = app.config;
  return {
    id: app.identity.id,
    name: nodeName,
    version,
    role,
    mesh: mesh.name ?? 'public',
    startedAt: app.startedAt,
    url: app.server?.url,
    engine: engineStatus(app),
    mining: app.mining?.view(),
    health: app.health?.current(),
    policy: policy && { mode: policy.mode, reasons: policy.reasons, rules: policy.rules },
    queue: queueStatus(app),
    speed: app.speed.average(),
    peers: peers.length,
    peerClockOffsetsMs: peers.map(({ clockOffsetMs }) => clockOffsetMs),
    served: { ...app.served, refused: app.refused },
    credits: await app.credits.holdings(),
  };
}

function engineStatus({ backend }: App): NodeStatus['engine'] {
  if (!backend || backend.empty) return { state: 'none', active: 0, waiting: 0 };
  const { state, model, active, waiting, error } = backend.status();
  return {
    state,
    active,
    waiting,
    ...told({ error: error && wordsOf(error, 'message') }),
    model: model && { ...model, tiny: model.tiny ?? false },
  };
}

function queueStatus({ worker }: App): NodeStatus['queue'] {
  const { waiting = 0, running: active = 0, waits = [] } = worker?.report() ?? {};
  return { waiting, active, waits };
}
