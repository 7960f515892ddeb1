import { say } from '../../../../src-preload/contract/saying.ts';
import { isAddress } from '../../address.ts';
import { removeAllStakeLimit, removeStakeLimit } from '../../chain/calls.ts';
import { ownStake, takesFeeInAlpha } from './own-stake.ts';
import type { Action } from './prepared-call.ts';
import { refused } from './refused.ts';
import { stakeCaution, withinTolerance } from './swap-caution.ts';
import { stakedRao } from './told-amounts.ts';

/** Sells alpha of a subnet. */
export const unstake: Action<'unstake'> = {
  async prepare(tools, wanted) {
    const { hotkey, netuid, tolerance } = wanted;
    if (!isAddress(hotkey)) throw refused(say('bittensor.noAddress'), 'hotkey');
    const { chain } = tools;
    const amount = await ownStake(tools, wanted);
    const swap = await chain.quote({ way: 'unstake', netuid, amount, tolerance });
    withinTolerance(swap, tolerance);
    const asCall = wanted.amount === 'all' ? removeAllStakeLimit : removeStakeLimit;
    const call = asCall({ hotkey, netuid, amount, limitPrice: swap.limitPrice });
    return { call, moves: 0n, amount, target: hotkey, netuid, swap, feeInAlpha: await takesFeeInAlpha(chain) };
  },

  caution: stakeCaution,

  moved: (events, sent) => stakedRao(events, 'StakeRemoved', sent),
};
