import { registrationLimit } from '../../../../src-preload/contract/registration-limit.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { addressOfKey } from './own-key.ts';
import type { Action } from './prepared-call.ts';
import { refusedByChain, u64 } from './refused.ts';
import { amountsOf } from './told-amounts.ts';

/** What takes TAO from an account: runtimes name it differently. */
const TAKEN = ['Withdraw', 'Burned'];

/** Buys a place on a subnet for a hotkey. */
export const register: Action<'register'> = {
  async prepare({ chain, wallets }, { wallet, hotkey: name, netuid, limitPrice }) {
    const hotkey = await addressOfKey(wallets, { wallet, hotkey: name });
    if (await chain.neuron(netuid, hotkey)) throw refusedByChain(say('bittensor.chain.refused.alreadyRegistered'));
    const now = await chain.registrationCost(netuid);
    if (now === undefined) throw refusedByChain(say('bittensor.chain.refused.noSubnet'));
    const limit = limitPrice === undefined ? registrationLimit(now) : u64(limitPrice, 'limitPrice');
    const call = await chain.registration({ netuid, hotkey, limitPrice: limit });
    const warnings = [say('chainCalls.warning.registrationIsSpent')];
    return { call, moves: limit, now, target: hotkey, netuid, warnings };
  },

  caution: (_, { netuid }) => ({ warnings: [], typed: String(netuid) }),

  /** What was taken, but for the fee. */
  moved(events, { signer }, fee) {
    const taken = amountsOf(events, 'balances', TAKEN, signer);
    const feeAt = fee === undefined ? -1 : taken.indexOf(fee);
    const moves = taken.filter((_, at) => at !== feeAt).reduce((sum, amount) => sum + amount, 0n);
    return moves > 0n ? moves : undefined;
  },
};
