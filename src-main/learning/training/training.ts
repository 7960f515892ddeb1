import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { LoraAdapter } from '../formats/lora-adapter.ts';
import { type AdamWState, adamW } from './adapter/adam-w.ts';
import { zerosLike } from './adapter/zeros-like.ts';
import { logSumExp, overwriteWithGradient } from './loss/logits.ts';
import { type LearntToken, tokenLoss } from './loss/token-loss.ts';
import type { Head } from './model/head.ts';
import type { Kernels, Tensor } from './model/kernels.ts';
import type { ModelShape } from './model/shape.ts';
import type { Pass, Transformer } from './model/transformer.ts';
import type { StepFigures, TrainerSettings, TrainingSample } from './trainer.ts';

type Scored = Pick<TrainingSample, 'prompt' | 'response'>;

export interface TrainingParts {
  kernels: Kernels;
  transformer: Transformer;
  /** The head, for as long as it is wanted. */
  withHead<Result>(work: (head: Head) => Promise<Result>): Promise<Result>;
  shape: ModelShape;
  /** Whether what a layer has computed is kept for the way back: then one sample follows the other, and the memory is that of one. */
  oneByOne: boolean;
  settings: TrainerSettings;
  adapter: LoraAdapter;
  state: AdamWState;
}

/** Sums over the tokens of a step, each weighted so that they are means in the end. */
interface Sums {
  distill: number;
  kl: number;
  ratio: number;
  clipped: number;
  tokens: number;
}

/** An adapter on its way: its gradients on some samples, and steps along them. */
export class Training {
  readonly #parts: TrainingParts;

  constructor(parts: TrainingParts) {
    this.#parts = parts;
  }

  /**
   * One optimizer step: the mean of the samples' losses, each a mean over its response's tokens.
   * @param rate see {@link StepOptions}
   * @throws BAD_REQUEST for tokens that the model does not have; INTERNAL where the gradient is no number: then nothing has changed
   */
  async step(samples: readonly TrainingSample[], rate = 1): Promise<StepFigures> {
    const { adapter, state, settings } = this.#parts;
    for (const sample of samples) this.#check(sample);
    const begun = performance.now();
    const { gradients, sums } = await this.gradients(samples);
    const learningRate = rate * settings.learningRate;
    const gradNorm = adamW(adapter, state, gradients, { ...settings, learningRate });
    if (!Number.isFinite(gradNorm))
      throw new QuarryError({ code: 'INTERNAL', message: say('training.noNumber'), hint: say('training.lowerRate') });
    return {
      loss: sums.distill + settings.klWeight * sums.kl,
      ...{ distillLoss: sums.distill, klLoss: sums.kl, gradNorm, tokens: sums.tokens },
      ...(settings.objective === 'sdpo' && { isRatio: sums.ratio, clipFraction: sums.clipped }),
      seconds: (performance.now() - begun) / 1_000,
    };
  }

  /** Gradients of the loss by the adapter's matrices, of layers that are learnt, and what the loss is. */
  async gradients(samples: readonly TrainingSample[]): Promise<{ gradients: LoraAdapter; sums: Sums }> {
    const { adapter, oneByOne } = this.#parts;
    const gradients = zerosLike(adapter, this.#first);
    const sums: Sums = { distill: 0, kl: 0, ratio: 0, clipped: 0, tokens: 0 };
    const share = 1 / samples.length;
    const groups = oneByOne ? samples.map((sample) => [sample]) : [samples];
    for (const group of groups) await this.#add(group, share, gradients, sums);
    return { gradients, sums };
  }

  async #add(samples: readonly TrainingSample[], share: number, gradients: LoraAdapter, sums: Sums): Promise<void> {
    const { transformer, withHead, adapter } = this.#parts;
    const pass = await transformer.forward(samples.map(inputOf), adapter, this.#first);
    const back = await withHead(async (head) => {
      const found: Tensor[] = [];
      for (const [index, sample] of samples.entries()) {
        found.push(await this.#loss(head, pass, index, sample, sums, share));
      }
      return found;
    });
    await transformer.backward(pass, back, adapter, gradients);
  }

  #check({ prompt, response, teacher = [] }: Scored & Partial<Pick<TrainingSample, 'teacher'>>): void {
    const { vocabulary } = this.#parts.shape;
    const known = (tokens: readonly number[]) => tokens.every((token) => token < vocabulary);
    if (known(prompt) && known(response) && teacher.every(({ tokens }) => known(tokens))) return;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.unknownToken', { vocabulary }) });
  }

  get #first(): number {
    const { shape, settings } = this.#parts;
    return Math.max(0, shape.layers - (settings.lastLayers ?? shape.layers));
  }

  /** Natural-log probabilities of a response's tokens. */
  async score(sample: Scored): Promise<number[]> {
    const { transformer, withHead, adapter, shape } = this.#parts;
    this.#check(sample);
    const pass = await transformer.forward([inputOf(sample)], adapter, shape.layers);
    const logprobs: number[] = [];
    await withHead(async (head) => {
      const rows = await this.#rows(pass, 0, sample);
      await head.at(rows, (logits, place) => {
        logprobs[place] = (logits[sample.response[place] as number] as number) - logSumExp(logits);
        return false;
      });
    });
    transformer.end(pass);
    return logprobs;
  }

  /** @returns the gradient by the sample's stream behind the last layer */
  async #loss(head: Head, pass: Pass, index: number, sample: TrainingSample, sums: Sums, share: number) {
    const { kernels, settings } = this.#parts;
    const { width } = this.#parts.shape;
    const weight = share / sample.response.length;
    const rows = await this.#rows(pass, index, sample);
    const gradients = await head.at(rows, (logits, place) => {
      const { distill, kl, ratio, sum, gradient } = tokenLoss(logits, learnt(sample, place), settings);
      overwriteWithGradient(logits, sum, gradient, weight);
      sums.distill += weight * distill;
      sums.kl += weight * kl;
      sums.ratio += weight * ratio;
      if (ratio >= settings.isClip) sums.clipped += weight;
      sums.tokens += 1;
      return true;
    });
    const tokens = pass.lengths[index] as number;
    const whole = new Float32Array(tokens * width);
    whole.set(gradients, (sample.prompt.length - 1) * width);
    return kernels.put(whole, [tokens, width]);
  }

  /** What the last layer gives at the places before the response's tokens. */
  async #rows(pass: Pass, index: number, { prompt, response }: Scored) {
    const { kernels, shape } = this.#parts;
    const { width } = shape;
    const stream = pass.streams[index] as Tensor;
    const values = await kernels.read(stream);
    return values.slice((prompt.length - 1) * width, (prompt.length - 1 + response.length) * width);
  }
}

/** The last token is only answered for: nothing comes after it. */
const inputOf = ({ prompt, response }: Scored) => [...prompt, ...response.slice(0, -1)];

function learnt({ response, teacher, old, base }: TrainingSample, place: number): LearntToken {
  return {
    token: response[place] as number,
    teacher: teacher[place] as TrainingSample['teacher'][number],
    ...{ old: old?.[place], base: base?.[place] },
  };
}
