import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Forecast,
  StepFigures,
  StepOptions,
  Trainer,
  TrainerModel,
  TrainingSample,
} from '../../../src-main/learning/training/trainer.ts';
import { say } from '../../../src-preload/contract/saying.ts';

/** A trainer that computes nothing, and writes down what it was told. */
export class ScriptedTrainer implements Trainer {
  readonly computes = say('training.byProcessor');
  readonly steps: (readonly TrainingSample[])[] = [];
  readonly rates: number[] = [];
  opened: TrainerModel | undefined;
  closed = false;
  /** Called before each step; may throw. */
  onStep: (step: number) => void = () => undefined;

  async open(model: TrainerModel): Promise<Forecast> {
    this.opened = model;
    return { memory: 1, secondsPerStep: () => 1 };
  }

  async step(samples: readonly TrainingSample[], { rate = 1 }: StepOptions = {}): Promise<StepFigures> {
    this.onStep(this.steps.length);
    this.steps.push(samples);
    this.rates.push(rate);
    const loss = 1 / this.steps.length;
    return { loss, distillLoss: loss, klLoss: 0, gradNorm: 1, tokens: 10, seconds: 1 };
  }

  async score(): Promise<number[]> {
    return [];
  }

  async save(folder: string, _signal?: AbortSignal): Promise<void> {
    await mkdir(folder);
    await writeFile(join(folder, 'adapter.gguf'), `${this.opened?.from ?? 'new'}, ${this.steps.length}`);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
