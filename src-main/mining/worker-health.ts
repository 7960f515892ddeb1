import { type Saying, say, told, wordsOf } from '../../src-preload/contract/saying.ts';
import type { Health } from '../hardware/health.ts';
import { CAPACITY, type HealthUse } from '../hardware/health-score.ts';
import type { PolicyWatcher } from '../hardware/policy-watcher.ts';
import type { MiningState } from './mining-state.ts';

export interface WorkerHealthSources {
  /** The setting. */
  refuseWhenOverloaded: boolean;
  /** As it is measured. */
  health: Health;
  policy: Pick<PolicyWatcher, 'current'>;
  mining: Pick<MiningState, 'refusal'>;
  /** What the mesh knows of this node, where that is in the way. */
  scores: { readonly hindrance: Saying | undefined };
}

/** A node that is paused or does not mine stays on the mesh and refuses, saying why. */
export function workerHealth({ refuseWhenOverloaded, health, policy, mining, scores }: WorkerHealthSources): Health {
  if (mining.refusal) return refusing(health, mining.refusal);
  if (scores.hindrance) return refusing(health, scores.hindrance);
  const { mode, reasons } = policy.current();
  if (mode === 'paused') {
    return refusing(health, say('mesh.paused', { reasons: reasons.map((reason) => wordsOf(reason, 'text')) }));
  }
  return healthAsSet(health, refuseWhenOverloaded);
}

/** Health as a node's status tells it; what its state and its policy have to say stands beside it there. */
export function statusHealth({
  refuseWhenOverloaded,
  health,
  scores,
}: Pick<WorkerHealthSources, 'refuseWhenOverloaded' | 'health' | 'scores'>): Health {
  return scores.hindrance ? refusing(health, scores.hindrance) : healthAsSet(health, refuseWhenOverloaded);
}

/** Health as measured, and as busy instead of overloaded at a node that is set to take requests all the same. */
function healthAsSet(health: Health, refuseWhenOverloaded: boolean): Health {
  return health.accepting || refuseWhenOverloaded ? health : undaunted(health);
}

function refusing(health: Health, reason: Saying): Health {
  return { ...health, use: withoutLimits(health.use), accepting: false, refusal: undefined, ...told({ reason }) };
}

/** As a busy node: one that takes requests however little of the computer is left. */
function undaunted(health: Health): Health {
  return {
    ...health,
    use: withoutLimits(health.use),
    accepting: true,
    refusal: undefined,
    reason: undefined,
    said: undefined,
    capacity: CAPACITY.busy,
  };
}

/** Nothing of the computer is what this node refuses work for. */
function withoutLimits({ cpu, memory, queue }: HealthUse): HealthUse {
  const free = { limits: false };
  return { cpu: { ...cpu, ...free }, memory: { ...memory, ...free }, queue: { ...queue, ...free } };
}
