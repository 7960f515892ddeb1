import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** What the chain keeps of a validator's opinion: the largest weight is 65535. */
export interface ChainWeights {
  uids: number[];
  /** u16 each, beside {@link uids}. */
  values: number[];
}

/** The largest weight, and the whole of which limits are shares. */
export const U16_MAX = 65_535;

/**
 * Weights as the official SDK hands them to the chain (`convert_weights_and_uids_for_emit`): taken as 32-bit floats, divided by the
 * largest, spread over a u16 and rounded half to even. What rounds to 0 is left out with its uid; weights that are all 0 give none.
 *
 * @param weights by uid, in any scale
 * @throws BAD_REQUEST with the field `weights` for what is no number, is negative or endless, or for a uid that is none
 */
export function quantised(weights: ReadonlyMap<number, number>): ChainWeights {
  const uids = [...weights.keys()];
  const floats = [...weights.values()].map(Math.fround);
  if (!uids.every(isU16) || !floats.every((weight) => Number.isFinite(weight) && weight >= 0)) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.noWeights'), field: 'weights' });
  }
  const largest = floats.reduce((most, weight) => Math.max(most, weight), 0);
  if (largest === 0) return { uids: [], values: [] };
  const values = floats.map((weight) => halfToEven((weight / largest) * U16_MAX));
  return { uids: uids.filter((_, at) => values[at] !== 0), values: values.filter((value) => value !== 0) };
}

/** Rounds as Python's `round` does: a half goes to the even neighbour. */
export function halfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function isU16(uid: number): boolean {
  return Number.isInteger(uid) && uid >= 0 && uid <= U16_MAX;
}
