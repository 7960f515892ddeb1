import type { ReferenceSource } from '../../src-main/subnets/quasar/verification/inference-environment.ts';

/** On a node without a model, with which nothing can be compared. */
export const NO_REFERENCE: ReferenceSource = {
  known: undefined,
  use: () => Promise.reject(new Error('nothing is compared here')),
};
