/** Which of several GPUs are picked, and what that is as a setting. */
export interface GpuChoice {
  /** Numbers, as texts. */
  picked: string[];
  /** All of them are the default: null. */
  valueOf(picked: readonly string[]): string[] | null;
}

/**
 * @param devices names in the order of their numbers
 * @param set the setting; empty is all
 * @returns undefined where there is nothing to choose from, or the setting says it otherwise than by numbers
 */
export function gpuChoice(devices: readonly string[], set: readonly string[]): GpuChoice | undefined {
  const numbers = devices.map((_, number) => String(number));
  if (numbers.length < 2 || !set.every((one) => numbers.includes(one))) return undefined;
  return {
    picked: set.length === 0 ? numbers : [...set],
    valueOf: (picked) => (picked.length === numbers.length ? null : numbers.filter((one) => picked.includes(one))),
  };
}
