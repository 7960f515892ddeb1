import type { LoraAdapter } from '../formats/lora-adapter.ts';
import { type AdamWState, adamW } from './adapter/adam-w.ts';
import { zerosLike } from './adapter/new-adapter.ts';
import { logSumExp, overwriteWithGradient } from './loss/logits.ts';
import { type LearntToken, tokenLoss } from './loss/token-loss.ts';
import type { Head } from './model/head.ts';
import type { Kernels, Tensor } from './model/kernels.ts';
import type { Pass, Transformer } from './model/transformer.ts';
import type { StepFigures, TrainerSettings, TrainingSample } from './trainer.ts';

export interface TrainingParts {
  kernels: Kernels;
  transformer: Transformer;
  /** The head, for as long as it is wanted. */
  withHead<Result>(work: (head: Head) => Promise<Result>): Promise<Result>;
  width: number;
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

  /** One optimizer step: the mean of the samples' losses, each a mean over its response's tokens. */
  async step(samples: readonly TrainingSample[]): Promise<StepFigures> {
    const { adapter, state, settings } = this.#parts;
    const begun = performance.now();
    const { gradients, sums } = await this.gradients(samples);
    const gradNorm = adamW(adapter, state, gradients, settings);
    return {
      loss: sums.distill + settings.klWeight * sums.kl,
      ...{ distillLoss: sums.distill, klLoss: sums.kl, gradNorm, tokens: sums.tokens },
      ...(settings.objective === 'sdpo' && { isRatio: sums.ratio, clipFraction: sums.clipped }),
      seconds: (performance.now() - begun) / 1_000,
    };
  }

  /** Gradients of the loss by the adapter's matrices, and what the loss is. */
  async gradients(samples: readonly TrainingSample[]): Promise<{ gradients: LoraAdapter; sums: Sums }> {
    const { transformer, withHead, adapter } = this.#parts;
    const pass = await transformer.forward(samples.map(inputOf), adapter, true);
    const sums: Sums = { distill: 0, kl: 0, ratio: 0, clipped: 0, tokens: 0 };
    const back = await withHead(async (head) => {
      const found: Tensor[] = [];
      for (const [index, sample] of samples.entries()) {
        found.push(await this.#loss(head, pass, index, sample, sums, 1 / samples.length));
      }
      return found;
    });
    const gradients = zerosLike(adapter);
    await transformer.backward(pass, back, adapter, gradients);
    return { gradients, sums };
  }

  /** Natural-log probabilities of a response's tokens. */
  async score(sample: Pick<TrainingSample, 'prompt' | 'response'>): Promise<number[]> {
    const { kernels, transformer, withHead, adapter } = this.#parts;
    const pass = await transformer.forward([inputOf(sample)], adapter, false);
    const logprobs: number[] = [];
    await withHead(async (head) => {
      const rows = await this.#rows(pass, 0, sample);
      await head.at(rows, (logits, place) => {
        logprobs[place] = (logits[sample.response[place] as number] as number) - logSumExp(logits);
        return false;
      });
    });
    kernels.free(...pass.streams);
    return logprobs;
  }

  /** @returns the gradient by the sample's stream behind the last layer */
  async #loss(head: Head, pass: Pass, index: number, sample: TrainingSample, sums: Sums, share: number) {
    const { kernels, settings, width } = this.#parts;
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
  async #rows(pass: Pass, index: number, { prompt, response }: Pick<TrainingSample, 'prompt' | 'response'>) {
    const { kernels, width } = this.#parts;
    const stream = pass.streams[index] as Tensor;
    const values = await kernels.read(stream);
    return values.slice((prompt.length - 1) * width, (prompt.length - 1 + response.length) * width);
  }
}

/** The last token is only answered for: nothing comes after it. */
const inputOf = ({ prompt, response }: Pick<TrainingSample, 'prompt' | 'response'>) => [
  ...prompt,
  ...response.slice(0, -1),
];

function learnt({ response, teacher, old, base }: TrainingSample, place: number): LearntToken {
  return {
    token: response[place] as number,
    teacher: teacher[place] as TrainingSample['teacher'][number],
    ...{ old: old?.[place], base: base?.[place] },
  };
}
