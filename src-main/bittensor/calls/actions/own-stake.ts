import { taoText } from '../../../../src-preload/contract/rao.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { addressOfKey } from './own-key.ts';
import type { CallTools } from './prepared-call.ts';
import { positive, refusedByChain } from './refused.ts';

interface WantedStake {
  wallet: string;
  hotkey: string;
  netuid: number;
  amount: string;
}

/** How much alpha is meant of what a wallet has staked. @throws BAD_REQUEST for no amount; CHAIN_REFUSED where there is less */
export async function ownStake(
  { chain, wallets }: Pick<CallTools, 'chain' | 'wallets'>,
  { wallet, hotkey, netuid, amount }: WantedStake,
): Promise<bigint> {
  const wanted = amount === 'all' ? undefined : positive(amount);
  const staked = await chain.stakes(await addressOfKey(wallets, { wallet }));
  const there = staked.find((stake) => stake.hotkey === hotkey && stake.netuid === netuid)?.amount ?? 0n;
  if (there === 0n || there < (wanted ?? 0n)) {
    throw refusedByChain(say('chainCalls.lessStaked', { staked: taoText(there), netuid }), 'amount');
  }
  return wanted ?? there;
}

/**
 * Whether the chain takes the fee of a call that sells alpha of that alpha, where there is too little TAO. Runtimes 301 to 348 did so, too,
 * but nothing of theirs tells it.
 */
export async function takesFeeInAlpha(chain: CallTools['chain']): Promise<boolean> {
  return (await chain.read()).runtime.hasEvent('subtensorModule', 'TransactionFeePaidWithAlpha');
}
