import { say } from '../../../../src-preload/contract/saying.ts';
import { isAddress } from '../../address.ts';
import { addStakeLimit } from '../../chain/calls.ts';
import type { Action } from './prepared-call.ts';
import { positive, refused } from './refused.ts';
import { stakeCaution, withinTolerance } from './swap-caution.ts';
import { stakedRao } from './told-amounts.ts';

/** Buys alpha of a subnet for a hotkey. */
export const stake: Action<'stake'> = {
  async prepare({ chain }, { hotkey, netuid, amount, tolerance }) {
    if (!isAddress(hotkey)) throw refused(say('bittensor.noAddress'), 'hotkey');
    const moves = positive(amount);
    const swap = await chain.quote({ way: 'stake', netuid, amount: moves, tolerance });
    withinTolerance(swap, tolerance);
    const call = addStakeLimit({ hotkey, netuid, amount: moves, limitPrice: swap.limitPrice });
    return { call, moves, amount: moves, target: hotkey, netuid, swap };
  },

  caution: stakeCaution,

  moved: (events, sent) => stakedRao(events, 'StakeAdded', sent),
};
