import type { ModelFit } from '../../../src-preload/contract/models.ts';

/** «12», or «8–20» while it is an estimate. */
export function rateText({ measured, tokensPerSecond, low, high }: ModelFit['speed']): string {
  return measured ? String(Math.round(tokensPerSecond)) : `${Math.round(low)}–${Math.round(high)}`;
}

/** Where a model runs. */
export const RUNS = { gpu: 'on the GPU', partly: 'partly on the GPU', cpu: 'on the CPU', no: 'does not fit' };
