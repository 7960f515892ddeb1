import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { isAddress } from '../../../bittensor/address.ts';
import type { Metagraph } from '../../../bittensor/chain/metagraph.ts';
import { type AxonAnswer, type AxonPlace, Dendrite } from '../../../bittensor/dendrite/dendrite.ts';
import { PING } from '../../../bittensor/synapse/synapse.ts';
import type { OpenHotkey } from '../../../bittensor/wallet/held-hotkey.ts';
import type { Answered } from '../../../subnets/quasar/evaluation/evaluation-run.ts';
import { BENCHMARK_QUESTION } from '../../../subnets/quasar/synapse/benchmark-evaluation.ts';
import { benchmarkQuestion } from '../../../subnets/quasar/synapse/benchmark-question.ts';
import { type AskedTask, questionBeside } from '../../../subnets/quasar/tasks/context-task.ts';
import { PUBLISHED_TASKS } from '../../../subnets/quasar/tasks/published/published-tasks.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';
import { roughly } from './answered.ts';
import type { OpenedExaminee } from './opened-examinee.ts';
import { patiently } from './patiently.ts';

type AxonTarget = Extract<EvaluationTarget, { kind: 'axon' }>;

/** The name of a hotkey of this computer. */
export interface AskerKey {
  wallet: string;
  hotkey: string;
}

export interface AxonNeeds {
  /** In whose name miners are asked; undefined where no wallet is set. */
  asker(): AskerKey | undefined;
  /** @throws where it cannot be opened without a password */
  openHotkey(key: AskerKey): Promise<OpenHotkey>;
  /** Who is on a subnet, as the chain says; undefined where there is none. @throws CHAIN_UNREACHABLE */
  neurons(netuid: number): Promise<Pick<Metagraph, 'neurons'> | undefined>;
  /** Whether axons in this computer’s own network are asked that the chain tells of: on a chain of one’s own. */
  allowInside: boolean;
  /** Milliseconds after a first failure that may pass by itself; doubles with each further one. Default 1,000. */
  firstRetryMs?: number;
}

/** Seconds for one answer: a long text is read for minutes. Most axons give less by themselves. */
const TIMEOUT_S = 900;
/** Far more than what is judged of an answer. */
const MOST_BYTES = 1 << 20;

/**
 * A miner of a subnet, by its axon. Nothing that it says of itself is believed; times are this computer’s.
 * @throws BAD_REQUEST where no wallet or subnet is set, or the subnet has no such axon; UNAUTHORIZED where it does not answer this hotkey;
 * WORKER_LOST where it is not there; what chain and wallet throw; the signal's reason
 */
export async function atAxon(needs: AxonNeeds, target: AxonTarget, signal: AbortSignal): Promise<OpenedExaminee> {
  const key = needs.asker();
  if (!key) throw refused(say('evaluations.axon.noWallet'), say('evaluations.axon.setWallet'));
  const axon = await placeOf(needs, target);
  signal.throwIfAborted();
  const signer = await needs.openHotkey(key);
  // Whoever registers an axon chooses its address: only one that somebody named here may be in this network.
  const allowInside = needs.allowInside || target.at !== undefined;
  const miner = new AskedAxon(axon, signer, new Dendrite({ signer, allowInside, answerBytes: MOST_BYTES }));
  try {
    await miner.greet(signal);
  } catch (error) {
    await miner.close();
    throw error;
  }
  return {
    ...{ model: axon.hotkey, sha256: null, room: null },
    count: async (text) => roughly(text),
    ask: (task, { maxTokens, signal }) =>
      patiently(() => miner.ask(task, maxTokens, signal), needs.firstRetryMs ?? 1_000, signal),
    [Symbol.asyncDispose]: () => miner.close(),
  };
}

/** Where it is, as somebody says here, or else the chain. */
async function placeOf(needs: AxonNeeds, { hotkey, netuid, at }: AxonTarget): Promise<AxonPlace> {
  if (!isAddress(hotkey)) throw refused(say('bittensor.noAddress'), say('bittensor.addressLooks'));
  if (at) return { ...at, hotkey };
  if (netuid === undefined) throw refused(say('evaluations.axon.noSubnet'), say('evaluations.axon.setSubnet'));
  const subnet = await needs.neurons(netuid);
  if (!subnet) throw refused(say('evaluations.axon.unknownSubnet', { netuid }), say('evaluations.axon.setSubnet'));
  const neuron = subnet.neurons.find((one) => one.hotkey === hotkey);
  if (!neuron) throw refused(say('evaluations.axon.unknown', { netuid, hotkey }), say('evaluations.axon.look'));
  if (!neuron.axon) throw refused(say('evaluations.axon.none', { netuid, hotkey }), say('evaluations.axon.look'));
  const { ip, port } = neuron.axon;
  return { ip, port, hotkey };
}

/** An axon, asked in the name of a hotkey, which is closed with it. */
class AskedAxon {
  readonly #axon: AxonPlace;
  readonly #signer: OpenHotkey;
  readonly #dendrite: Dendrite;

  constructor(axon: AxonPlace, signer: OpenHotkey, dendrite: Dendrite) {
    this.#axon = axon;
    this.#signer = signer;
    this.#dendrite = dendrite;
  }

  /** Looks whether it is there and answers this hotkey, before anything is made for it. Some do not know this greeting, and are asked all the same. */
  async greet(signal: AbortSignal): Promise<void> {
    const answer = await this.#dendrite.call(this.#axon, PING, {}, { signal });
    if (answer.status !== 200 && answer.status !== 404) throw this.#failure(answer);
  }

  async ask(task: AskedTask, maxTokens: number, signal: AbortSignal): Promise<Answered> {
    const { dataset, context } = task;
    const published = PUBLISHED_TASKS.get(dataset)?.group;
    const asked = { id: randomUUID(), dataset, context, question: questionBeside(task), published };
    const fields = benchmarkQuestion(asked, maxTokens);
    const began = performance.now();
    let firstMs: number | undefined;
    const onFirstByte = () => {
      firstMs = performance.now() - began;
    };
    const options = { timeout: TIMEOUT_S, signal, onFirstByte };
    const answer = await this.#dendrite.call(this.#axon, BENCHMARK_QUESTION, fields, options);
    const totalMs = performance.now() - began;
    if (answer.status !== 200 || !answer.fields) throw this.#failure(answer);
    const counts = { promptTokens: null, cachedTokens: null, answerTokens: null };
    return { text: withoutThoughts(answer.fields.response ?? ''), firstMs: firstMs ?? totalMs, totalMs, ...counts };
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#dendrite.close();
    await this.#signer.close();
  }

  #failure({ status, message: said, retryAfterMs }: AxonAnswer<unknown>): QuarryError {
    const message = foreignLine(said);
    const told = { hotkey: this.#axon.hotkey, status, message };
    if (status === 413 || (status === 400 && TOO_LONG.test(message))) {
      return new QuarryError({ code: 'CONTEXT_TOO_LONG', message: say('evaluations.axon.tooLong', told) });
    }
    if (status === 401 || status === 403) {
      const asker = this.#signer.address;
      const hint = status === 401 ? say('evaluations.axon.clock') : say('evaluations.axon.rules', { asker });
      return new QuarryError({ code: 'UNAUTHORIZED', message: say('evaluations.axon.refuses', told), hint });
    }
    if (status === 404) return refused(say('evaluations.axon.otherSubnet', told), say('evaluations.axon.look'));
    const failed = say('evaluations.axon.failed', told);
    const retryable = !TERMINAL.includes(status);
    return new QuarryError({
      code: 'WORKER_LOST',
      ...{ message: failed, retryable, retryAfterMs },
      ...(status === 408 && { hint: say('evaluations.axon.slow') }),
    });
  }
}

/** How axons say that a text is too long for their model: each in words of its own. */
const TOO_LONG = /context|tokens|too (long|large)/i;
/** Statuses that a second try does not change. */
const TERMINAL = [400, 410, 422];

const refused = (message: Saying, hint: Saying) =>
  new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'target' });
