import type { Health, HealthMonitor } from '../../hardware/health.ts';
import { CAPACITY } from '../../hardware/health-score.ts';
import type { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import type { Config } from '../../settings/config.ts';
import type { MiningSwitch } from './mining-switch.ts';

export interface WorkerHealthSources {
  config: Pick<Config, 'limits'>;
  health: Pick<HealthMonitor, 'current'>;
  policy: Pick<PolicyWatcher, 'current'>;
  mining: Pick<MiningSwitch, 'refusal'>;
}

/** A node that is paused or does not mine stays on the mesh and refuses, saying why. */
export function workerHealth({ config, health, policy, mining }: WorkerHealthSources): Health {
  const now = health.current();
  if (mining.refusal) return refusing(now, mining.refusal);
  const { mode, reasons } = policy.current();
  if (mode === 'paused') return refusing(now, `Paused: ${reasons.map(({ text }) => text).join(' ')}`);
  return now.accepting || config.limits.refuseWhenOverloaded ? now : undaunted(now);
}

function refusing(health: Health, reason: string): Health {
  return { ...health, accepting: false, refusal: undefined, reason };
}

/** As a busy node: one that takes requests however little of the computer is left. */
function undaunted(health: Health): Health {
  return { ...health, accepting: true, refusal: undefined, reason: undefined, capacity: CAPACITY.busy };
}
