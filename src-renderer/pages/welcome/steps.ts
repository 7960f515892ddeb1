import type { Download, LocalModel } from '../../../src-preload/contract/models.ts';

export const STEPS = ['hello', 'hardware', 'model', 'start'] as const;
export type Step = (typeof STEPS)[number];

/** What may be there from an earlier visit. */
interface Found {
  /** The greeting was never left here. */
  isFirstVisit: boolean;
  /** The name that a person gave this computer. */
  nodeName: string | undefined;
  models: readonly Pick<LocalModel, 'tiny'>[];
  downloads: readonly Pick<Download, 'state'>[];
}

/** Where to begin: a first visit with the greeting, one after a visit that was broken off at the first thing that is not there yet. */
export function firstStep({ isFirstVisit, nodeName, models, downloads }: Found): Step {
  if (isFirstVisit) return 'hello';
  if (downloads.some(({ state }) => state !== 'done')) return 'model';
  if (models.some(({ tiny }) => !tiny)) return 'start';
  return nodeName ? 'hardware' : 'hello';
}
