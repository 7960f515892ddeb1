import { z } from 'zod';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { Chain } from '../../chain/chain.ts';
import { address, number } from '../../chain/shapes.ts';
import type { Hyperparameters, OwnNeuron } from '../../chain/subnet.ts';
import { type ChainWeights, U16_MAX } from '../../chain/weights.ts';
import { refusedByChain } from './refused.ts';

interface Weighed {
  netuid: number;
  hotkey: string;
  neuron: Pick<OwnNeuron, 'uid' | 'validatorPermit'>;
  /** As they are sent: the largest is 65535. */
  values: ChainWeights;
  rules: Pick<Hyperparameters, 'minAllowedWeights' | 'maxWeightLimit'> | undefined;
}

/**
 * Holds weights to the rules of their subnet (Bittensor §3.2). Those that are locked or hidden nobody looks at before they open, and then
 * they are dropped without a word. What this runtime does not tell is not asked for.
 * @throws CHAIN_REFUSED with the field `weights` and the rule that they break
 */
export async function holdToRules(chain: Pick<Chain, 'read'>, weighed: Weighed): Promise<void> {
  const { netuid, neuron, values, rules } = weighed;
  const reader = await chain.read();
  const size = await reader.one(number, 'subtensorModule', 'subnetworkN', netuid);
  if (values.uids.length === 0) throw broken(say('chainCalls.noWeight'));
  const stranger = size === undefined ? undefined : values.uids.find((uid) => uid >= size);
  if (size !== undefined && stranger !== undefined) {
    throw broken(say('chainCalls.noNeuron', { uid: stranger, netuid, last: size - 1 }));
  }
  // Whoever weighs nobody but himself needs no permit, and is held to no number or share.
  if (values.uids.length === 1 && values.uids[0] === neuron.uid) return;
  const owner = await reader.one(z.nullable(address), 'subtensorModule', 'subnetOwnerHotkey', netuid);
  // From runtime 400 or so on, the subnet's owner needs no permit: before, the chain itself will say so.
  if (neuron.validatorPermit === false && owner !== weighed.hotkey) {
    throw refusedByChain(say('bittensor.chain.refused.noPermit'));
  }
  const least = Math.min(rules?.minAllowedWeights ?? 0, size ?? U16_MAX);
  if (values.uids.length < least) {
    throw broken(say('chainCalls.fewWeights', { least, given: values.uids.length }));
  }
  holdToShare(values, rules?.maxWeightLimit ?? U16_MAX);
}

/** @param limit the largest share of all weights that one may have, of 65535 */
function holdToShare({ values }: ChainWeights, limit: number): void {
  const largest = Math.max(...values);
  const sum = values.reduce((all, value) => all + value, 0);
  if (limit === U16_MAX || largest * U16_MAX <= limit * sum) return;
  const percent = (share: number) => Math.round(share * 1_000) / 10;
  throw broken(say('chainCalls.largeWeight', { percent: percent(largest / sum), most: percent(limit / U16_MAX) }));
}

const broken = (message: Parameters<typeof refusedByChain>[0]) => refusedByChain(message, 'weights');
