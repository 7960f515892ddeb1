import type { WeightSetting } from '../../../../src-preload/contract/validator-run.ts';

/** A setting without which no weights can be set: somebody has to choose it, and waiting helps nothing. */
export type LackingSetting = 'subnet' | 'wallet' | 'signer';

/** @returns undefined where nothing is lacking, or weights are not to be set */
export function lackingSetting({
  way,
  netuid,
  by,
  fault,
}: Pick<WeightSetting, 'way' | 'netuid' | 'by' | 'fault'>): LackingSetting | undefined {
  if (way === 'off') return undefined;
  if (netuid === null) return 'subnet';
  if (by === null) return way;
  // Whether there is a token is told by nothing else.
  return fault?.said?.text?.key === 'validation.weights.noSigner' ? 'signer' : undefined;
}
