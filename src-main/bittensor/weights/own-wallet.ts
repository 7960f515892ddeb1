import type { ChainAction, ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Sending, SentWeights, WeightSender, WeightsToSend } from './weight-sender.ts';

/** Where calls are made: see `../calls/call-desk.ts`. */
export interface WeightDesk {
  draft(wanted: ChainAction & { action: 'weights' }): Promise<ChainDraft>;
  send(input: { id: string; password: string | null }, signal: AbortSignal): AsyncIterable<SentCall>;
  /** Calls that were sent, and are not known to be in a block. */
  waiting(): Promise<readonly Pick<SentCall, 'action' | 'from' | 'netuid'>[]>;
}

export interface OwnWalletOptions {
  desk: WeightDesk;
  key: { wallet: string; hotkey: string };
  /** Of that hotkey, ss58. */
  address: () => Promise<string>;
  /** Null for a key without one. */
  password: string | null;
}

/** Sets weights with a hotkey of this computer, as the subnet wants them: openly, locked or committed to. */
export class OwnWallet implements WeightSender {
  readonly #options: OwnWalletOptions;

  constructor(options: OwnWalletOptions) {
    this.#options = options;
  }

  hotkey(): Promise<string> {
    return this.#options.address();
  }

  /** Also throws CHAIN_REFUSED while weights of the same hotkey are on their way: the chain takes one of them, and not by what they say. */
  async send(weights: WeightsToSend, { wait, signal = new AbortController().signal }: Sending): Promise<SentWeights> {
    const { desk, password } = this.#options;
    await this.#refuseWhileWaiting(weights.netuid);
    const { id, warnings } = await desk.draft(this.#action(weights));
    signal.throwIfAborted(); // from here on it goes its way
    let last: SentCall | undefined;
    for await (const call of desk.send({ id, password }, signal)) {
      last = call;
      if (call.refusal || !wait) break;
    }
    return { ...outcome(last), warnings: warnings.map(({ text }) => text) };
  }

  #action({ netuid, uids, weights, versionKey }: WeightsToSend): ChainAction & { action: 'weights' } {
    const pairs = uids.map((uid, at) => ({ uid, weight: weights[at] ?? 0 }));
    const version = versionKey === undefined ? {} : { versionKey: String(versionKey) };
    return { action: 'weights', ...this.#options.key, netuid, weights: pairs, ...version };
  }

  async #refuseWhileWaiting(netuid: number): Promise<void> {
    const [address, waiting] = await Promise.all([this.#options.address(), this.#options.desk.waiting()]);
    const isOne = waiting.some((call) => call.action === 'weights' && call.netuid === netuid && call.from === address);
    if (!isOne) return;
    const message = say('bittensor.weights.underWay', { netuid });
    throw new QuarryError({ code: 'CHAIN_REFUSED', message, retryable: true });
  }
}

/** @throws CHAIN_REFUSED where the chain or its endpoint refused; DEADLINE where no block took them in */
function outcome(call: SentCall | undefined): Omit<SentWeights, 'warnings'> {
  if (call?.state === 'failed' && call.error) throw new QuarryError(call.error);
  if (call?.refusal) throw new QuarryError({ ...call.refusal, hint: say('bittensor.weights.mayCome') });
  if (call?.state === 'expired') {
    throw new QuarryError({ code: 'DEADLINE', message: say('bittensor.weights.expired'), retryable: true });
  }
  return { pending: call?.state !== 'done', block: call?.block ?? null, hash: call?.hash ?? null };
}
