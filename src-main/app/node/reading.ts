import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { GpuUse } from '../../hardware/gauges.ts';
import type { Health } from '../../hardware/health.ts';
import type { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { Drafting } from '../../inference/backend.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { Peers } from '../../mesh/peers.ts';
import type { MeshWork } from '../../mining/mesh-work.ts';
import type { MiningSwitch } from '../../mining/mining-switch.ts';

/**
 * What a node is and does at this moment: the one reading of it, for its status, its charts, `/healthz`, `/metrics`, the tray
 * and the terminal. Cheap, so that it may be asked at any time.
 */
export type NodeReading = Omit<
  NodeStatus,
  'id' | 'name' | 'version' | 'role' | 'mesh' | 'startedAt' | 'url' | 'credits'
>;

/** What is read: of each part no more than is shown. */
export interface ReadParts {
  engine:
    | { slot: Pick<EngineSlot, 'empty' | 'status'>; machine: { readonly load: { active: number; waiting: number } } }
    | undefined;
  mesh: { peers: Pick<Peers, 'count' | 'clockOffsets'>; refused: number } | undefined;
  mining:
    | {
        switch: Pick<MiningSwitch, 'view'>;
        health: { current(): Health };
        policy: Pick<PolicyWatcher, 'current'>;
        queue(): NodeReading['queue'];
        work: Pick<MeshWork, 'speed' | 'served'>;
      }
    | undefined;
  /** Absent where nobody looks. */
  energy?: { use(): GpuUse } | undefined;
}

/** A part that the node lacks does nothing: no engine, an empty queue, no peers. */
export function readNode({ engine, mesh, mining, energy }: ReadParts): NodeReading {
  const policy = mining?.policy.current();
  const served = mining?.work.served ?? { requests: 0, tokens: 0 };
  return {
    engine: readEngine(engine),
    mining: mining?.switch.view(),
    health: mining && readHealth(mining.health.current(), energy?.use() ?? {}),
    policy: policy && { mode: policy.mode, reasons: policy.reasons, rules: policy.rules },
    queue: mining?.queue() ?? { waiting: 0, active: 0, waits: [] },
    speed: mining?.work.speed.average(),
    peers: mesh?.peers.count ?? 0,
    peerClockOffsetsMs: mesh?.peers.clockOffsets() ?? [],
    served: { ...served, refused: mesh?.refused ?? 0 },
  };
}

/** What the GPU has to do limits nobody: the node is busy with it for the mesh. */
function readHealth({ use, ...health }: Health, { gpu, vram }: GpuUse): NonNullable<NodeReading['health']> {
  const graphics = {
    ...(gpu !== undefined && { gpu: { percent: gpu, limits: false } }),
    ...(vram !== undefined && { vram: { percent: vram, limits: false } }),
  };
  return { ...health, use: { ...use, ...graphics } };
}

/** The state is that of the node's own model; what is asked, of all that this machine has loaded. */
function readEngine(engine: ReadParts['engine']): NodeReading['engine'] {
  if (!engine) return { state: 'none', active: 0, waiting: 0 };
  const { load } = engine.machine;
  if (engine.slot.empty) return { state: 'none', ...load };
  const { state, model, progress, error } = engine.slot.status();
  return {
    state,
    ...load,
    ...(progress !== undefined && { progress }),
    ...told({ error: error && wordsOf(error, 'message') }),
    model: model && {
      ...model,
      draft: model.draft && readDraft(model.draft),
      tiny: model.tiny ?? false,
      ...(model.device !== 'remote' && { tools: model.toolStyle !== undefined }),
    },
  };
}

function readDraft({ error, ...draft }: Drafting) {
  return { ...draft, ...told({ error: error && wordsOf(error, 'message') }) };
}
