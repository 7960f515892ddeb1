import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Neuron } from '../chain/metagraph.ts';
import { quantised } from '../chain/weights.ts';

/** What a validator thinks of miners. */
export interface MinerWeights {
  /** By hotkey (ss58), in any scale: what is not burnt goes to them in these proportions. */
  shares: ReadonlyMap<string, number>;
  /** The share of all that goes to nobody, 0 to 1: to neuron 0, which belongs to the subnet’s owner. Default 0. */
  burnt?: number | undefined;
}

/** The same as the chain takes it. */
export interface WeightsPlan {
  uids: number[];
  /** u16 each, beside {@link uids}; the largest is 65535. */
  weights: number[];
  /** Miners who are to have something and are not on the subnet. */
  leftOut: string[];
}

/** Whom the burnt share goes to. */
const BURN_UID = 0;

/**
 * Weights of miners as weights of neurons. What those would have who are not there is shared by those who are; the burnt share stays what it is.
 * @throws BAD_REQUEST for what is no share; CHAIN_REFUSED where none of the miners is on the subnet and nothing is burnt
 */
export function planWeights(
  { shares, burnt = 0 }: MinerWeights,
  neurons: readonly Pick<Neuron, 'uid' | 'hotkey'>[],
): WeightsPlan {
  const given = [...shares];
  if (![...shares.values(), burnt].every((share) => Number.isFinite(share) && share >= 0) || burnt > 1) {
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.chain.noWeights'), field: 'weights' });
  }
  const uidOf = new Map(neurons.map(({ hotkey, uid }) => [hotkey, uid]));
  const wanted = given.filter(([, share]) => share > 0);
  const leftOut = wanted.flatMap(([hotkey]) => (uidOf.has(hotkey) ? [] : [hotkey]));
  const there = wanted.flatMap(([hotkey, share]) => {
    const uid = uidOf.get(hotkey);
    return uid === undefined ? [] : [{ uid, share }];
  });
  const sum = there.reduce((all, { share }) => all + share, 0);
  const byUid = new Map(there.map(({ uid, share }) => [uid, (share / sum) * (1 - burnt)]));
  // Where nobody is there to have the rest, all is burnt.
  if (burnt > 0) byUid.set(BURN_UID, (byUid.get(BURN_UID) ?? 0) + (sum > 0 ? burnt : 1));
  const { uids, values } = quantised(byUid);
  if (uids.length > 0) return { uids, weights: values, leftOut };
  const message = wanted.length > 0 ? say('bittensor.weights.nobodyThere') : say('chainCalls.noWeight');
  throw new QuarryError({ code: 'CHAIN_REFUSED', message, field: 'weights' });
}
