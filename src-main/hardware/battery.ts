import type { Reading } from './reading.ts';
import type { BatteryInfo } from './report.ts';
import type { SystemInformation } from './system-information.ts';

/** The battery, if there is one. A computer without one is never «on battery». */
export async function readBattery(system: SystemInformation): Promise<Reading<BatteryInfo>> {
  const battery = await system.battery();
  const present = battery.hasBattery;
  return {
    value: {
      present,
      charging: present && battery.isCharging,
      // Some drivers forget to report the mains while they charge.
      onBattery: present && !battery.acConnected && !battery.isCharging,
      percent: present && battery.percent !== null ? battery.percent : undefined,
    },
    source: 'systeminformation',
  };
}
