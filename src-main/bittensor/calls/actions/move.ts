import { say } from '../../../../src-preload/contract/saying.ts';
import { isAddress } from '../../address.ts';
import { moveStake, swapStakeLimit } from '../../chain/calls.ts';
import { quoteMove } from '../../chain/money.ts';
import { ownStake, takesFeeInAlpha } from './own-stake.ts';
import type { Action } from './prepared-call.ts';
import { refused } from './refused.ts';
import { stakeCaution, withinTolerance } from './swap-caution.ts';

/** Moves stake of a coldkey: into another subnet, or behind another hotkey. */
export const move: Action<'move'> = {
  async prepare(tools, wanted) {
    const { hotkey, netuid, tolerance, toHotkey = hotkey, toNetuid = netuid } = wanted;
    if (!isAddress(hotkey)) throw refused(say('bittensor.noAddress'), 'hotkey');
    if (!isAddress(toHotkey)) throw refused(say('bittensor.noAddress'), 'toHotkey');
    const [isOtherHotkey, isOtherSubnet] = [toHotkey !== hotkey, toNetuid !== netuid];
    if (!isOtherHotkey && !isOtherSubnet) throw refused(say('chainCalls.movesNowhere'), 'toNetuid');
    // The chain's call for both at once knows no limit: whoever comes first could take of it what he likes.
    if (isOtherHotkey && isOtherSubnet) throw refused(say('chainCalls.movesTwice'), 'toHotkey');
    const { chain } = tools;
    const amount = await ownStake(tools, wanted);
    const about = { moves: 0n, amount, target: toHotkey, netuid: toNetuid, feeInAlpha: await takesFeeInAlpha(chain) };
    if (isOtherHotkey) return { ...about, call: moveStake({ from: hotkey, to: toHotkey, netuid, amount }) };
    const swap = await quoteMove(await chain.read(), { from: netuid, to: toNetuid, amount, tolerance });
    withinTolerance(swap, tolerance);
    const call = swapStakeLimit({ hotkey, from: netuid, to: toNetuid, amount, limitPrice: swap.limitPrice });
    return { ...about, call, swap };
  },

  caution: stakeCaution,
};
