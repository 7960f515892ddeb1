import type { PolicySources } from '../../hardware/policy-sources.ts';
import { nodePolicySources } from '../../hardware/policy-sources.ts';
import { PolicyWatcher } from '../../hardware/policy-watcher.ts';
import { otherGpuUse } from '../engine/gpu-use.ts';
import type { PowerSource } from '../host/host-ports.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';

/** How hard this computer may work for others, and at what takes time. */
export type PolicyPart = Pick<PolicyWatcher, 'current' | 'subscribe' | 'check'>;

/** Looks from now on, and whenever the settings or the power change. */
export async function openPolicy(
  { settings, log, ports: { power }, onClose }: Core,
  engine: Pick<EnginePart, 'slot' | 'others'>,
): Promise<PolicyPart> {
  const rules = settings.follow('policy');
  const policy = new PolicyWatcher({ settings: rules.now, sources: policySources(engine, power), log });
  onClose(() => policy.close());
  await policy.open();
  rules.whenSet((now) => void policy.configure(now));
  if (power) onClose(power.subscribe(() => void policy.check()));
  return policy;
}

/** The desktop sees power and people better than plain Node does. */
function policySources(
  { slot, others }: Pick<EnginePart, 'slot' | 'others'>,
  power: PowerSource | undefined,
): PolicySources {
  const sources = nodePolicySources(otherGpuUse(slot, () => others?.loaded ?? []));
  if (!power) return sources;
  return { ...sources, battery: () => power.battery(), userIdleSeconds: () => power.userIdleSeconds() };
}
