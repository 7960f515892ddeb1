import type { LoraAdapter, LoraMatrices } from '../../formats/lora-adapter.ts';
import { zerosLike } from './zeros-like.ts';

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;
/** Added to a norm that is divided by, as PyTorch's `clip_grad_norm_` does. */
const CLIP_EPSILON = 1e-6;

/** What AdamW keeps of the gradients that it has seen: means of them and of their squares, in the shape of the adapter. */
export interface AdamWState {
  steps: number;
  means: LoraAdapter;
  squares: LoraAdapter;
}

/** An adapter, and what the optimizer knows of it. */
export interface SavedAdapter {
  adapter: LoraAdapter;
  state: AdamWState;
}

export function newState(adapter: LoraAdapter): AdamWState {
  return { steps: 0, means: zerosLike(adapter), squares: zerosLike(adapter) };
}

export interface AdamWSettings {
  learningRate: number;
  weightDecay: number;
  /** Largest norm of all gradients together; 0: any. */
  maxGradNorm: number;
}

/**
 * One step of AdamW (https://arxiv.org/abs/1711.05101) as PyTorch takes it: weights decay apart from the gradient, which is scaled down first where it is too long.
 * Changes adapter and state in place, and of them only the matrices that there are gradients of.
 * @returns the gradient's norm before it was scaled; where that is no finite number nothing has changed
 */
export function adamW(
  adapter: LoraAdapter,
  state: AdamWState,
  gradients: LoraAdapter,
  settings: AdamWSettings,
): number {
  const norm = Math.sqrt(sumOver(gradients, squareSum));
  if (!Number.isFinite(norm)) return norm;
  const { learningRate, weightDecay, maxGradNorm } = settings;
  const clip = maxGradNorm > 0 ? Math.min(1, maxGradNorm / (norm + CLIP_EPSILON)) : 1;
  state.steps += 1;
  const rate = learningRate / (1 - BETA_1 ** state.steps);
  const root = Math.sqrt(1 - BETA_2 ** state.steps);
  const decay = 1 - learningRate * weightDecay;
  for (const [name, slopesOf] of gradients.matrices) {
    for (const part of ['a', 'b'] as const) {
      const [weights, slopes] = [of(adapter, name)[part], slopesOf[part]];
      const [means, squares] = [of(state.means, name)[part], of(state.squares, name)[part]];
      for (let at = 0; at < weights.length; at++) {
        const slope = clip * (slopes[at] as number);
        const mean = BETA_1 * (means[at] as number) + (1 - BETA_1) * slope;
        const square = BETA_2 * (squares[at] as number) + (1 - BETA_2) * slope * slope;
        means[at] = mean;
        squares[at] = square;
        weights[at] = decay * (weights[at] as number) - (rate * mean) / (Math.sqrt(square) / root + EPSILON);
      }
    }
  }
  return norm;
}

function of(adapter: LoraAdapter, name: string): LoraMatrices {
  const matrices = adapter.matrices.get(name);
  if (!matrices) throw new RangeError(`The optimizer knows nothing of ${name}.`);
  return matrices;
}

function sumOver({ matrices }: LoraAdapter, sum: (values: Float32Array) => number): number {
  let all = 0;
  for (const { a, b } of matrices.values()) all += sum(a) + sum(b);
  return all;
}

function squareSum(values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += (values[at] as number) ** 2;
  return sum;
}
