import { ADAPTER_MODULES } from '../../formats/lora-adapter.ts';
import { moduleSize } from '../model/groups.ts';
import type { ModelShape } from '../model/shape.ts';
import type { Forecast, TrainerSettings } from '../trainer.ts';
import type { Device } from './torch-messages.ts';

/** Python with PyTorch loaded, before it has computed anything; on a GPU what the driver takes there. */
const IDLE_BYTES: Readonly<Record<Device, number>> = { cpu: 750e6, cuda: 700e6 };
/** Single precision on the processor, bfloat16 on the GPU. */
const NUMBER_BYTES: Readonly<Record<Device, number>> = { cpu: 4, cuda: 2 };
/** An adapter's number, its gradient, and the optimizer's two means. */
const ADAPTER_NUMBER_BYTES = 16;
/** Places whose logits are there at once (resources/trainer/training.py), and how often: logits, log-probabilities, both gradients. */
const LOGIT_NUMBERS = 64 * 4;
/** Floating-point operations a second: of one thread of a processor, of a small GPU. Guesses; the first step tells better. */
const PACE: Readonly<Record<Device, number>> = { cpu: 50e9, cuda: 10e12 };
/** Forward, forward once more, and back: two each for a weight and a token. The weights themselves get no gradients. */
const OPERATIONS = 6;

export interface TorchUse {
  device: Device;
  /** Of the processor. */
  threads: number;
  /** Tokens of the longest sample. */
  tokens: number;
}

/** What a training in PyTorch takes, of the GPU where it computes there; of the processor's memory it then takes little. */
export function torchForecast(
  shape: ModelShape,
  settings: Pick<TrainerSettings, 'rank' | 'modules' | 'lastLayers'>,
  { device, threads, tokens }: TorchUse,
): Forecast {
  const matrices = ADAPTER_MODULES.map((module) => moduleSize(shape, module));
  const inLayers = shape.layers * matrices.reduce((sum, size) => sum + size.in * size.out, 0);
  const embeddings = shape.vocabulary * shape.width;
  const number = NUMBER_BYTES[device];
  const weights = (inLayers + embeddings * (shape.tied ? 1 : 2)) * number;
  const memory =
    IDLE_BYTES[device] +
    weights +
    adapterNumbers(shape, settings) * ADAPTER_NUMBER_BYTES +
    // In single precision: of each layer its input, and of one all that it computes.
    tokens * (shape.layers * shape.width + numbersOfToken(shape)) * 4 +
    shape.vocabulary * LOGIT_NUMBERS * 4;
  const operations = OPERATIONS * (inLayers + embeddings);
  const pace = PACE[device] * (device === 'cpu' ? threads : 1);
  return { memory, secondsPerStep: (samples, each) => (samples * each * operations) / pace };
}

function adapterNumbers(
  shape: ModelShape,
  { rank, modules, lastLayers = shape.layers }: Pick<TrainerSettings, 'rank' | 'modules' | 'lastLayers'>,
): number {
  const sizes = modules.map((module) => moduleSize(shape, module));
  return Math.min(lastLayers, shape.layers) * rank * sizes.reduce((sum, size) => sum + size.in + size.out, 0);
}

/** What a layer computes of a token and keeps for the way back, and the gradients of it. */
function numbersOfToken({ width, heads, headWidth, feedForward }: ModelShape): number {
  return 2 * (8 * width + 10 * heads * headWidth + 5 * feedForward);
}
