import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { Neuron } from '../../../bittensor/chain/metagraph.ts';
import { type Claim, claimOf } from '../../../bittensor/chain/stated-model.ts';
import type { Committed } from '../../../bittensor/chain/subnet.ts';
import { type AxonAnswer, type AxonPlace, type CallOptions, Dendrite } from '../../../bittensor/dendrite/dendrite.ts';
import { PROMPTING } from '../../../bittensor/synapse/prompting.ts';
import type { SynapseType } from '../../../bittensor/synapse/synapse.ts';
import type { OpenHotkey } from '../../../bittensor/wallet/held-hotkey.ts';
import { askForClips } from '../../../subnets/omega/clips/synapse/ask-for-clips.ts';
import { BENCHMARK_QUESTION } from '../../../subnets/quasar/synapse/benchmark-evaluation.ts';
import { benchmarkQuestion } from '../../../subnets/quasar/synapse/benchmark-question.ts';
import { INFERENCE_PROBE } from '../../../subnets/quasar/synapse/inference-verification.ts';
import { MOST_PROBE_BYTES, MOST_PROBE_MARKS, probeText } from '../../../subnets/quasar/verification/answer.ts';
import { inferenceBody } from '../../../subnets/quasar/verification/probe.ts';
import { askBy, type Miner, type Question } from '../../../validation/run/miner.ts';

export interface AxonMinersOptions {
  /** The hotkey that asks; it is closed with this. */
  signer: OpenHotkey;
  /** The subnet as the chain told it last, and what its miners committed to; undefined where there is none. Asked whenever miners are looked for. */
  committed: () => Promise<Pick<Committed, 'neurons' | 'commitments'> | undefined>;
  /** Whether axons in this computer’s own network are asked: see {@link Dendrite}. */
  allowInside: boolean;
}

/** Far more than what is judged of an answer. */
const MOST_BYTES = 1 << 20;
const MOST_OF_PROBE = { bytes: MOST_PROBE_BYTES, marks: MOST_PROBE_MARKS };

/** Who serves an axon on a subnet. A resource. */
export class AxonMiners {
  readonly #options: AxonMinersOptions;
  readonly #dendrite: Dendrite;

  constructor(options: AxonMinersOptions) {
    this.#options = options;
    const { signer, allowInside } = options;
    this.#dendrite = new Dendrite({ signer, allowInside, answerBytes: MOST_BYTES });
  }

  /** @throws what `committed` throws; NOT_RUNNING where the hotkey cannot sign, and so nobody can be asked */
  async miners(): Promise<Miner[]> {
    await this.#options.signer.check();
    const { neurons = [], commitments = new Map() } = (await this.#options.committed()) ?? {};
    const others = neurons.filter(({ hotkey, axon }) => axon && hotkey !== this.#options.signer.address);
    return others.map((neuron) => this.#miner(neuron, claimOf(neuron, commitments)));
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#dendrite.close();
    await this.#options.signer.close();
  }

  /** Its model is what it has committed to: nobody has looked whether it is that. */
  #miner({ uid, hotkey, axon }: Neuron, { since: block, stated }: Claim): Miner {
    const place = { ip: axon?.ip ?? '', port: axon?.port ?? 0, hotkey };
    const ask = (question: Question) => askBy((onSent) => this.#ask(place, question, onSent));
    const { model = '', revision = '' } = stated ?? {};
    return { id: hotkey, kind: 'axon', model, revision, uid, block, ask };
  }

  /** About long texts, and to bare tokens, as QUASAR’s validators do, for clips as OMEGA’s; else as a chat. What a miner says of itself beside its answer is not looked at. */
  async #ask(place: AxonPlace, question: Question, onSent: () => void): Promise<string> {
    const { id, prompt, ask: way, maxTokens } = question;
    const call = <Fields>(type: SynapseType<Fields>, fields: Fields, most?: CallOptions['most']) =>
      this.#call(place, type, fields, { question, onSent, most });
    switch (way.kind) {
      case 'text': {
        const asked = { roles: ['user'], messages: [prompt], max_tokens: maxTokens, temperature: 0 };
        return (await call(PROMPTING, PROMPTING.fields.parse(asked))).completion;
      }
      case 'longText':
        return (await call(BENCHMARK_QUESTION, benchmarkQuestion({ id, ...way.text }, maxTokens))).response ?? '';
      case 'tokens':
        return probeText(await call(INFERENCE_PROBE, inferenceBody(way.probe), MOST_OF_PROBE));
      case 'clips':
        return askForClips(way.wanted, call);
    }
  }

  async #call<Fields>(
    place: AxonPlace,
    type: SynapseType<Fields>,
    fields: Fields,
    { question, onSent, most }: { question: Question; onSent: () => void; most: CallOptions['most'] },
  ): Promise<Fields> {
    const { timeoutMs, signal, onFirstByte } = question;
    const options = { timeout: timeoutMs / 1_000, signal, onSent, onFirstByte, most };
    const answer = await this.#dendrite.call(place, type, fields, options);
    if (answer.status === 200 && answer.fields) return answer.fields;
    throw failure(answer);
  }
}

/** Statuses that a second try does not change (Affine, `query`). */
const TERMINAL = [400, 401, 403, 404, 410];

const failure = ({ status, message, retryAfterMs }: AxonAnswer<unknown>) =>
  new QuarryError({
    code: 'WORKER_LOST',
    message: say('validation.axon.failed', { status, message }),
    retryable: !TERMINAL.includes(status),
    retryAfterMs,
  });
