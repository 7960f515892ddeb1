import { type Saying, say, told, wordsOf } from '../../src-preload/contract/saying.ts';
import type { Health } from '../hardware/health.ts';
import { CAPACITY } from '../hardware/health-score.ts';
import type { PolicyWatcher } from '../hardware/policy-watcher.ts';
import type { MiningState } from './mining-state.ts';

export interface WorkerHealthSources {
  /** The setting. */
  refuseWhenOverloaded: boolean;
  /** As it is measured. */
  health: Health;
  policy: Pick<PolicyWatcher, 'current'>;
  mining: Pick<MiningState, 'refusal'>;
}

/** A node that is paused or does not mine stays on the mesh and refuses, saying why. */
export function workerHealth({ refuseWhenOverloaded, health, policy, mining }: WorkerHealthSources): Health {
  if (mining.refusal) return refusing(health, mining.refusal);
  const { mode, reasons } = policy.current();
  if (mode === 'paused') {
    return refusing(health, say('mesh.paused', { reasons: reasons.map((reason) => wordsOf(reason, 'text')) }));
  }
  return health.accepting || refuseWhenOverloaded ? health : undaunted(health);
}

function refusing(health: Health, reason: Saying): Health {
  return { ...health, accepting: false, refusal: undefined, ...told({ reason }) };
}

/** As a busy node: one that takes requests however little of the computer is left. */
function undaunted(health: Health): Health {
  return {
    ...health,
    accepting: true,
    refusal: undefined,
    reason: undefined,
    said: undefined,
    capacity: CAPACITY.busy,
  };
}
