import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Chain } from '../chain/chain.ts';
import { blocksToWait, USUAL_TEMPO, type WeightTimes } from './time-to-set.ts';
import type { Sending, SentWeights, WeightSender } from './weight-sender.ts';
import { type MinerWeights, planWeights, type WeightsPlan } from './weights-plan.ts';

export interface WeightSetterOptions {
  /** What is asked of the chain. */
  chain: Pick<Chain, 'metagraph' | 'hyperparameters' | 'neuron'>;
  /** Whose weights they are: the own wallet’s, or those of a signer service. */
  sender: WeightSender;
  netuid: number;
  /** Of the program that judges. Default: the least that the subnet takes. */
  versionKey?: bigint | undefined;
}

/** How a validator stands on its subnet. */
export interface WeightsDue extends WeightTimes {
  hotkey: string;
  uid: number;
  /** Undefined where the runtime does not tell. */
  validatorPermit: boolean | undefined;
  /** 0: weights are to be set now. */
  blocksToWait: number;
}

/** Sets what a validator thinks of miners on its subnet. */
export class WeightSetter {
  readonly #options: WeightSetterOptions;

  constructor(options: WeightSetterOptions) {
    this.#options = options;
  }

  /** When weights are to be set next: see {@link blocksToWait}. @throws CHAIN_REFUSED where the hotkey is not on the subnet; what the sender throws */
  async due(signal?: AbortSignal): Promise<WeightsDue> {
    const { chain, sender, netuid } = this.#options;
    const hotkey = await sender.hotkey(signal);
    const [neuron, rules] = await Promise.all([chain.neuron(netuid, hotkey), chain.hyperparameters(netuid)]);
    if (!neuron) {
      throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.refused.notRegistered') });
    }
    const { uid, validatorPermit, block, lastUpdate: lastSetBlock } = neuron;
    const { tempo = USUAL_TEMPO, weightsRateLimit = 0n } = rules ?? {};
    const times = { block, lastSetBlock, tempo, rateLimit: Number(weightsRateLimit) };
    return { hotkey, uid, validatorPermit, ...times, blocksToWait: blocksToWait(times) };
  }

  /** What weights would be sent. @throws CHAIN_REFUSED where there is no such subnet; as {@link planWeights} */
  async plan(wanted: MinerWeights): Promise<WeightsPlan> {
    const metagraph = await this.#options.chain.metagraph(this.#options.netuid);
    if (!metagraph) throw new QuarryError({ code: 'CHAIN_REFUSED', message: say('bittensor.chain.refused.noSubnet') });
    return planWeights(wanted, metagraph.neurons);
  }

  /** Sends them. @throws as {@link plan} and {@link WeightSender.send} */
  async set(wanted: MinerWeights, how: Sending): Promise<SentWeights & WeightsPlan> {
    const { sender, netuid, versionKey } = this.#options;
    const plan = await this.plan(wanted);
    const { uids, weights } = plan;
    return { ...plan, ...(await sender.send({ netuid, uids, weights, versionKey }, how)) };
  }
}
