import type { SystemInformation } from '../../../src-main/hardware/system-information.ts';

/** A laptop on mains power without a graphics card or readable sensors, but for what a test says otherwise. */
export function fakeSystem(parts: Partial<SystemInformation> = {}): SystemInformation {
  return {
    cpu: async () => ({ manufacturer: 'Maker', brand: 'Chip 9', physicalCores: 1, speed: 2.4 }),
    mem: async () => ({ available: 1024 ** 3 }),
    graphics: async () => ({ controllers: [] }),
    battery: async () => ({ hasBattery: true, isCharging: false, acConnected: true, percent: 80 }),
    cpuTemperature: async () => ({ main: null, max: null }),
    osInfo: async () => ({ platform: 'linux', distro: 'Some Linux', release: '1', arch: 'x64' }),
    ...parts,
  };
}
