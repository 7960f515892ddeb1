import type { Energy } from '../../src-preload/contract/node.ts';
import { say, told } from '../../src-preload/contract/saying.ts';
import type { Power } from './gauges.ts';

/** How long this node has mined, and what energy was measured meanwhile. */
export interface Mined {
  servingMs: number;
  joules: number;
}

export interface MinedSpans {
  today: Mined;
  week: Mined;
}

interface EnergySettings {
  watts?: number | undefined;
  costPerKwh?: number | undefined;
  currency?: string | undefined;
}

/** What was entered goes before what was measured; a cost only where both the energy and its price are known. */
export function energyOf(
  { power, mined: { today, week } }: { power: Power; mined: MinedSpans },
  { watts: entered, costPerKwh, currency }: EnergySettings,
): Energy {
  const of = (['gpu', 'cpu'] as const).filter((part) => power[part] !== undefined);
  const now = of.length > 0 ? { watts: of.reduce((sum, part) => sum + (power[part] ?? 0), 0) } : {};
  const measured = of.length > 0 || week.joules > 0;
  if (entered === undefined && !measured) return { basis: 'none', of, ...told({ reason: say('hardware.noPower') }) };
  const span = ({ servingMs, joules }: Mined) => {
    const wattHours = entered === undefined ? joules / 3_600 : (entered * servingMs) / 3_600_000;
    const cost = costPerKwh === undefined ? {} : { cost: (wattHours / 1_000) * costPerKwh };
    return { wattHours, minedMs: servingMs, ...cost };
  };
  return {
    ...{ basis: entered === undefined ? 'measured' : 'entered', of, ...now },
    ...(entered !== undefined && { entered }),
    ...{ today: span(today), week: span(week) },
    ...(currency !== undefined && { currency }),
  };
}
