import type { Energy } from '../../../src-preload/contract/node.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { Gauges, type GpuUse, type Power } from '../../hardware/gauges.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';

/** What the graphics cards have to do, and what energy is used. */
export interface EnergyPart {
  use(): GpuUse;
  energy(): Energy;
}

export function openEnergy(
  { settings, onClose }: Pick<Core, 'settings' | 'onClose'>,
  engine: Pick<EnginePart, 'slot'> | undefined,
): EnergyPart {
  const price = settings.follow('node');
  const gauges = new Gauges({
    engineGpus: () => (engine?.slot.status().state === 'ready' ? engine.slot.current?.engine?.gpus() : undefined),
  });
  onClose(() => gauges.close());
  gauges.open();
  return {
    use: () => gauges.use,
    energy: () => energyOf({ power: gauges.power, today: gauges.today() }, price.now),
  };
}

/** A cost only where both the energy and its price are known. */
export function energyOf(
  { power, today }: { power: Power; today: ReturnType<Gauges['today']> },
  { costPerKwh, currency }: { costPerKwh?: number | undefined; currency?: string | undefined },
): Energy {
  if (!today) return { of: [], ...told({ reason: say('hardware.noPower') }) };
  const { wattHours, since } = today;
  const cost = costPerKwh === undefined ? undefined : (wattHours / 1_000) * costPerKwh;
  const parts = (['gpu', 'cpu'] as const).filter((part) => power[part] !== undefined);
  const watts = parts.length > 0 ? parts.reduce((sum, part) => sum + (power[part] ?? 0), 0) : undefined;
  return { of: parts, watts, today: { wattHours, since }, ...(cost !== undefined && { cost, currency }) };
}
