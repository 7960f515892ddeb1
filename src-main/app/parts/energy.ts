import type { Energy } from '../../../src-preload/contract/node.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import { energyOf, type MinedSpans } from '../../hardware/energy.ts';
import { Gauges, type GpuUse } from '../../hardware/gauges.ts';
import type { GpuLoad } from '../../hardware/gpu-load.ts';
import type { Core } from './core.ts';
import type { EnginePart } from './engine.ts';

/** What the graphics cards have to do, and what power is drawn. */
export interface EnergyPart {
  use(): GpuUse;
  cards(): readonly GpuLoad[];
  /** @param mined what was measured and done while mining */
  energy(mined: MinedSpans): Energy;
  /** Calls back with the joules that were used since it did so before, as far as sensors tell. */
  onUsed(listener: (joules: number) => void): void;
}

export interface EnergyNeeds {
  engine: Pick<EnginePart, 'machine'> | undefined;
  /** Whether anybody could want to know: a single command has no time for it. */
  looks: boolean;
}

export function openEnergy(
  { settings, onClose }: Pick<Core, 'settings' | 'onClose'>,
  { engine, looks }: EnergyNeeds,
): EnergyPart {
  const set = settings.follow('node');
  const listeners = new ListenerSet<[joules: number]>();
  const gauges = new Gauges({
    engineGpus: () => engine?.machine.ready?.engine?.gpus(),
    onUsed: (joules) => listeners.tell(joules),
  });
  onClose(() => gauges.close());
  if (looks) gauges.open();
  return {
    use: () => gauges.use,
    cards: () => gauges.cards,
    energy: (mined) => energyOf({ power: gauges.power, mined }, set.now),
    onUsed: (listener) => void listeners.subscribe(listener),
  };
}
