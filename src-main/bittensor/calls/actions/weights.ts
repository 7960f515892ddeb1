import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import * as calls from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { type CommittedWeights, commitHash, newSalt } from '../../chain/commit-reveal.ts';
import { readRevealRound } from '../../chain/reveal-round.ts';
import type { OwnNeuron } from '../../chain/subnet.ts';
import { timelockedWeights } from '../../chain/timelock.ts';
import { type ChainWeights, quantised } from '../../chain/weights.ts';
import { ownNeuron } from './own-neuron.ts';
import type { Action, PreparedCall } from './prepared-call.ts';
import { refusedByChain, u64 } from './refused.ts';
import { holdToRules } from './weights-rules.ts';

/** Says what a validator thinks of a subnet's neurons. */
export const weights: Action<'weights'> = {
  async prepare(tools, wanted) {
    const { netuid, weights, versionKey: key } = wanted;
    const { hotkey, weightsIn, ...neuron } = await ownNeuron(tools, wanted);
    if (weightsIn > 0) {
      const hint = say('chainCalls.blocksToWait', { blocks: weightsIn });
      throw refusedByChain(say('bittensor.chain.refused.weightsTooSoon'), undefined, hint);
    }
    const versionKey = key === undefined ? undefined : u64(key, 'versionKey');
    const made = await weightsCall(tools.chain, { netuid, hotkey, neuron, weights, versionKey });
    return { ...made, moves: 0n, target: hotkey, netuid };
  },
};

/** What a validator thinks of a subnet's neurons. */
export interface WeightsToSet {
  netuid: number;
  /** ss58 of whoever signs. */
  hotkey: string;
  /** What it is there. */
  neuron: Pick<OwnNeuron, 'uid' | 'validatorPermit'>;
  /** In any scale. */
  weights: readonly { uid: number; weight: number }[];
  /** Of the subnet's program. Default: the least that the subnet takes. */
  versionKey: bigint | undefined;
}

type WeightsCall = Pick<PreparedCall, 'call' | 'hides' | 'fleeting' | 'warnings'>;

/** What the version of commits is when nothing was locked: only the number of arguments counts. */
const ANY_LOCKED = { commit: new Uint8Array(), round: 1, version: 0 };

/**
 * The call that sets weights as a subnet wants them: openly; where it has commit-reveal on, locked until the chain opens them by
 * itself; and where the runtime knows no locks, committed to, to be revealed by hand.
 * @throws BAD_REQUEST for weights that are none; CHAIN_REFUSED for those that break a rule of the subnet
 */
export async function weightsCall(chain: Chain, { weights, ...asked }: WeightsToSet): Promise<WeightsCall> {
  const byUid = new Map(weights.map(({ uid, weight }) => [uid, weight]));
  if (byUid.size !== weights.length) {
    throw new QuarryError({
      code: 'BAD_REQUEST',
      message: say('bittensor.chain.refused.wrongUids'),
      field: 'weights',
    });
  }
  const { netuid, hotkey, neuron } = asked;
  const rules = await chain.hyperparameters(netuid);
  const values = quantised(byUid);
  await holdToRules(chain, { netuid, hotkey, neuron, values, rules });
  const versionKey = asked.versionKey ?? rules?.weightsVersion ?? 0n;
  if (!rules?.commitReveal) return { call: calls.setWeights({ netuid }, { ...values, versionKey }) };
  const locked = await chain.has(calls.commitTimelockedWeights({ netuid }, ANY_LOCKED));
  return locked ? lockedCall(chain, values, { netuid, hotkey, versionKey }) : hiddenCall(values, asked, versionKey);
}

async function lockedCall(
  chain: Chain,
  values: ChainWeights,
  { netuid, hotkey, versionKey }: { netuid: number; hotkey: string; versionKey: bigint },
): Promise<WeightsCall> {
  const { round, version } = await readRevealRound(await chain.read(), netuid);
  const commit = timelockedWeights(values, { hotkey, versionKey, round });
  return { call: calls.commitTimelockedWeights({ netuid }, { commit, round, version }), fleeting: true };
}

function hiddenCall(
  values: ChainWeights,
  { netuid, hotkey }: { netuid: number; hotkey: string },
  versionKey: bigint,
): WeightsCall {
  const hides: CommittedWeights = { ...values, hotkey, netuid, salt: newSalt(), versionKey };
  return {
    call: calls.commitWeights({ netuid }, commitHash(hides)),
    hides,
    warnings: [say('chainCalls.warning.revealByHand')],
  };
}
