import { say } from '../../../../src-preload/contract/saying.ts';
import type { OwnNeuron } from '../../chain/subnet.ts';
import { addressOfKey } from './own-key.ts';
import type { CallTools } from './prepared-call.ts';
import { refusedByChain } from './refused.ts';

/** A hotkey of this computer that is registered on a subnet. @throws CHAIN_REFUSED for one that is not */
export async function ownNeuron(
  { chain, wallets }: Pick<CallTools, 'chain' | 'wallets'>,
  { netuid, wallet, hotkey: name }: { wallet: string; hotkey: string; netuid: number },
): Promise<OwnNeuron & { hotkey: string }> {
  const hotkey = await addressOfKey(wallets, { wallet, hotkey: name });
  const neuron = await chain.neuron(netuid, hotkey);
  if (!neuron) throw refusedByChain(say('bittensor.chain.refused.notRegistered'));
  return { ...neuron, hotkey };
}
