const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000_000_000;

/** How a field is shown, beside what its setting says. */
export interface ControlShape {
  /** How many of the setting's units one shown unit is: 1,000,000 shows bytes as MB. Default 1. */
  scale?: number | undefined;
  /** Behind a number: «MB/s»; one that has a text in `unit` is worded. */
  unit?: string | undefined;
  /** What stands in an empty field. */
  empty?: string | undefined;
  /** The number that stands for none: the field is empty then. */
  none?: number | undefined;
  /** What no number means, as `number.…` words it. Default: `automatic`. */
  nothing?: 'automatic' | 'noLimit' | 'none' | undefined;
  /** For choices: all of them side by side. */
  segmented?: boolean | undefined;
}

/** Settings that are shown in another unit than they are kept in, or otherwise than their kind. */
const SHAPES: Readonly<Record<string, ControlShape>> = {
  contextSize: { unit: 'tokens' },
  gpuLayers: { none: -1 },
  'rope.scaling': { segmented: true },
  'rope.factor': { unit: '×' },
  'rope.originalContext': { unit: 'tokens' },
  'models.downloadLimit': { scale: MEGABYTE, unit: 'MB/s', nothing: 'noLimit' },
  'data.diskBudget': { scale: GIGABYTE, unit: 'GB' },
  'data.mostFetched': { scale: MEGABYTE, unit: 'MB' },
  'sharing.uploadLimit': { scale: MEGABYTE, unit: 'MB/s' },
  'sharing.diskLimit': { scale: GIGABYTE, unit: 'GB' },
  'limits.bytesPerSecond': { scale: MEGABYTE, unit: 'MB/s' },
  'mesh.scoreLogsMb': { unit: 'MB' },
  'engine.vramReserveMb': { unit: 'MB' },
  'engine.keepAliveMinutes': { unit: 'min' },
  'engine.promptCacheMb': { unit: 'MB' },
  'learning.memoryMb': { unit: 'MB' },
  'node.watts': { unit: 'W', nothing: 'none' },
  'node.costPerKwh': { unit: '/ kWh', nothing: 'none' },
  'policy.userActive': { segmented: true },
  'policy.userIdleSeconds': { unit: 's' },
  'policy.onBattery': { segmented: true },
  'policy.otherGpu': { segmented: true },
  'policy.otherGpuMemory': { unit: 'MB' },
  'policy.heat': { segmented: true },
  'policy.heatAbove': { unit: '°C' },
  'policy.heatBelow': { unit: '°C' },
  'policy.quietAction': { segmented: true },
};

/** How a setting is shown wherever it is shown. */
export function shapeOf(path: string): ControlShape {
  return SHAPES[path] ?? {};
}
