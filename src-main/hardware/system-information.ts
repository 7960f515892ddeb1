import si, { type Systeminformation } from 'systeminformation';

/** What Quarry asks of the systeminformation library; tests give their own. */
export interface SystemInformation {
  cpu(): Promise<Pick<Systeminformation.CpuData, 'manufacturer' | 'brand' | 'physicalCores' | 'speed'>>;
  mem(): Promise<Pick<Systeminformation.MemData, 'available'>>;
  graphics(): Promise<{ controllers: GraphicsCard[] }>;
  battery(): Promise<
    Pick<Systeminformation.BatteryData, 'hasBattery' | 'isCharging' | 'acConnected'> & { percent: number | null }
  >;
  cpuTemperature(): Promise<{ main: number | null; max: number | null }>;
  osInfo(): Promise<Pick<Systeminformation.OsData, 'platform' | 'distro' | 'release' | 'arch'>>;
}

/** `vram`, `memoryTotal` and `memoryFree` are MiB. */
export type GraphicsCard = Pick<Systeminformation.GraphicsControllerData, 'vendor' | 'model'> &
  Partial<
    Pick<
      Systeminformation.GraphicsControllerData,
      'vram' | 'memoryTotal' | 'memoryFree' | 'temperatureGpu' | 'powerDraw'
    >
  >;

export const systemInformation: SystemInformation = si;
