import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Objective } from '../../../src-preload/contract/learning-runs.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { AdapterModule } from '../formats/lora-adapter.ts';

/** An answer to learn from, in tokens of the model's vocabulary. */
export interface TrainingSample {
  prompt: readonly number[];
  response: readonly number[];
  /** For each token of the response, the teacher's likeliest and their natural-log probabilities, best first. */
  teacher: readonly { tokens: readonly number[]; logprobs: readonly number[] }[];
  /** For each token of the response, its natural-log probability when it was sampled, and under the model without adapter; `sdpo` wants both. */
  old?: readonly number[];
  base?: readonly number[];
}

export interface TrainerSettings {
  objective: Objective;
  learningRate: number;
  /** Inner size of the adapter's matrices. */
  rank: number;
  /** The adapter's change is scaled by `alpha / rank`. */
  alpha: number;
  modules: readonly AdapterModule[];
  /** How many layers, counted from the last, are changed. Default: all. */
  lastLayers?: number;
  /** Largest norm of the gradient, above which it is scaled down; 0: never. */
  maxGradNorm: number;
  weightDecay: number;
  /** `sdpo` (B4): between the teacher (near 0) and the student (1). */
  mixture: number;
  /** `sdpo` (B4): largest importance ratio. */
  isClip: number;
  /** Weight of the k3 estimate of the KL from the model without adapter. */
  klWeight: number;
  /** Of a new adapter's first matrices. */
  seed: number;
}

export interface StepOptions {
  /** Share of the learning rate that the step is taken with, above 0. Default 1. */
  rate?: number | undefined;
  /** Ends the process: what was not saved is lost, and the trainer can be opened again. */
  signal?: AbortSignal | undefined;
}

/** What one step says of itself. Losses are means over samples of means over tokens, in nats. */
export interface StepFigures {
  loss: number;
  distillLoss: number;
  klLoss: number;
  gradNorm: number;
  /** `sdpo`: mean importance ratio, and the share that was clipped. */
  isRatio?: number;
  clipFraction?: number;
  tokens: number;
  seconds: number;
}

export const DEFAULT_LONGEST = 512;

export interface TrainerModel {
  /** GGUF file of the model. */
  modelPath: string;
  /**
   * Folder with what {@link Trainer.save} wrote, or with an adapter of PEFT's, to go on from: a version's, or a run's. Its rank, alpha and modules count, not those
   * of the settings. Default: a new adapter.
   */
  from?: string;
  settings: TrainerSettings;
  /** Tokens of the longest sample that will come, prompt and response together: memory is planned for it. Default {@link DEFAULT_LONGEST}. */
  longest?: number;
}

/** What a training takes. */
export interface Forecast {
  /** Bytes of memory at the most, that of the whole process. */
  memory: number;
  /** Seconds for a step of `samples` samples of `tokens` tokens each. */
  secondsPerStep(samples: number, tokens: number): number;
}

/** Seconds for a step of these, each as long as the longest of them. 0 where nothing is foretold. */
export function secondsFor(
  samples: readonly Pick<TrainingSample, 'prompt' | 'response'>[],
  forecast: Pick<Forecast, 'secondsPerStep'> | undefined,
): number {
  const longest = Math.max(0, ...samples.map(({ prompt, response }) => prompt.length + response.length));
  return forecast?.secondsPerStep(samples.length, longest) ?? 0;
}

/** @param most tokens that memory was planned for @throws BAD_REQUEST where one is longer */
export function checkLengths(
  samples: readonly Pick<TrainingSample, 'prompt' | 'response'>[],
  most = DEFAULT_LONGEST,
): void {
  for (const { prompt, response } of samples) {
    const tokens = prompt.length + response.length;
    if (tokens <= most) continue;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.longSample', { tokens, most }) });
  }
}

/**
 * Whatever computes gradients: a process of this node in TypeScript, or another. Long-lived: opened once for a run. All throw QuarryErrors:
 * UNSUPPORTED architectures and what does not fit say so before anything is computed.
 */
export interface Trainer {
  /** What computes, as people are told it. Default: it does not say. */
  readonly computes?: Saying | undefined;
  /**
   * Loads the model. Idempotent for the same one.
   * @returns what it is going to take
   * @throws UNSUPPORTED; OUT_OF_MEMORY with what would fit; MODEL_NOT_FOUND, MODEL_INVALID, ADAPTER_INVALID
   */
  open(model: TrainerModel, signal?: AbortSignal): Promise<Forecast>;
  /**
   * One optimizer step on these samples, 64 at the most.
   * @throws BAD_REQUEST for samples that are not sound, or too long
   */
  step(samples: readonly TrainingSample[], options?: StepOptions): Promise<StepFigures>;
  /** Log-probabilities of a response's tokens under the model with its adapter as it is now: for comparison with llama.cpp. */
  score(sample: Pick<TrainingSample, 'prompt' | 'response'>, signal?: AbortSignal): Promise<number[]>;
  /**
   * Writes the adapter (`adapter.gguf`, `adapter_model.safetensors`, `adapter_config.json`) and the optimizer's state (`optimizer.safetensors`) into a
   * folder that does not exist yet: all of it is there, on the disk, or nothing.
   * @param signal see {@link StepOptions.signal}
   */
  save(folder: string, signal?: AbortSignal): Promise<void>;
  /** Ends the process. Idempotent. */
  close(): Promise<void>;
}
