import { say } from '../../../../src-preload/contract/saying.ts';
import { isAddress } from '../../address.ts';
import { transferKeepAlive } from '../../chain/calls.ts';
import { readBalance, spendable } from '../../chain/money.ts';
import { MAY_COME_TWICE, mayComeTwice } from './may-come-twice.ts';
import { addressOfKey } from './own-key.ts';
import type { Action, CallTools } from './prepared-call.ts';
import { positive, refused, refusedByChain } from './refused.ts';
import { transferred } from './told-amounts.ts';

/** How much of an address is typed. */
const ADDRESS_END = 4;

/** Sends TAO to an address. */
export const transfer: Action<'transfer'> = {
  async prepare(tools, { wallet, to, amount }) {
    if (!isAddress(to)) throw refused(say('bittensor.noAddress'), 'to');
    const from = await addressOfKey(tools.wallets, { wallet });
    const moves = amount === 'all' ? await allOf(tools, from, to) : positive(amount);
    const warnings = from === to ? [say('chainCalls.warning.sameAccount')] : [];
    return { call: transferKeepAlive({ to, amount: moves }), moves, amount: moves, target: to, netuid: null, warnings };
  },

  async caution({ chain, store }, { action, to }, { moves }, can) {
    const { network } = chain.state;
    const isNew = !(await store.hasPaid(network, to));
    const isMost = 2n * moves > can;
    const isAgain = await mayComeTwice(store, { network, action, target: to, netuid: null, moves: String(moves) });
    const warnings = [
      ...(isNew ? [say('chainCalls.warning.newPayee')] : []),
      ...(isMost ? [say('chainCalls.warning.mostOfIt')] : []),
      ...(isAgain ? [MAY_COME_TWICE] : []),
    ];
    return { warnings, ...((isNew || isMost || isAgain) && { typed: to.slice(-ADDRESS_END) }) };
  },

  moved: transferred,
};

/** What an account can send and stay. A call costs by its bytes, and one that sends less has no more of them. */
async function allOf({ chain }: CallTools, from: string, to: string): Promise<bigint> {
  const can = spendable(await readBalance(await chain.read(), from));
  const { fee } = await chain.draft(transferKeepAlive({ to, amount: can }), from);
  if (can > fee) return can - fee;
  throw refusedByChain(say('bittensor.chain.refused.tooPoor'), 'amount');
}
