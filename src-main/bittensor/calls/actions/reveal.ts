import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { SentCallStore, WeightCommit } from '../../../store/bittensor/sent-calls.ts';
import * as calls from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { firstRevealBlock } from '../../chain/reveal-round.ts';
import { nonsense, number } from '../../chain/shapes.ts';
import { ownNeuron } from './own-neuron.ts';
import type { Action, PreparedCall } from './prepared-call.ts';

/** Reveals weights that were committed to from here. */
export const reveal: Action<'reveal'> = {
  async prepare(tools, wanted) {
    const { netuid } = wanted;
    const { hotkey } = await ownNeuron(tools, wanted);
    return { ...(await revealCall(tools.chain, tools.store, { netuid, hotkey })), moves: 0n, target: hotkey, netuid };
  },
};

/**
 * The call that reveals weights which were committed to from here: those whose time it is. Runtimes where this is done by hand count
 * epochs from the block alone (Bittensor §3.3).
 * @throws CHAIN_REFUSED when there are none, it is too early, or too late
 */
async function revealCall(
  chain: Chain,
  store: Pick<SentCallStore, 'hidden'>,
  { netuid, hotkey }: { netuid: number; hotkey: string },
): Promise<Pick<PreparedCall, 'call' | 'reveals'>> {
  const hidden = await store.hidden(await chain.genesis(), hotkey, netuid);
  const rules = await chain.hyperparameters(netuid);
  const now = await (await chain.read()).one(number, 'system', 'number');
  if (now === undefined) throw nonsense('a chain without blocks');
  const tempo = rules?.tempo ?? 0;
  const period = Number(rules?.revealPeriodEpochs ?? 1n);
  const firstOf = ({ block }: WeightCommit) => firstRevealBlock({ block, netuid, tempo, period, nextEpoch: undefined });
  const due = hidden.find((commit) => firstOf(commit) <= now && now <= firstOf(commit) + tempo);
  if (due) return { call: calls.revealWeights({ netuid }, due), reveals: due.call };
  const early = hidden.map(firstOf).filter((first) => first > now);
  if (early.length > 0) {
    throw new QuarryError({
      code: 'CHAIN_REFUSED',
      message: say('bittensor.chain.refused.revealTooEarly'),
      hint: say('chainCalls.blocksToWait', { blocks: Math.min(...early) - now }),
      retryable: true,
    });
  }
  const late = say('bittensor.chain.refused.revealTooLate');
  throw new QuarryError({
    code: 'CHAIN_REFUSED',
    message: hidden.length > 0 ? late : say('bittensor.chain.refused.noCommit'),
  });
}
