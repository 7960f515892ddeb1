import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADAPTER_FILES } from '../../../src-main/learning/training/remote/messages.ts';
import type {
  Forecast,
  StepFigures,
  StepOptions,
  Trainer,
  TrainerModel,
  TrainingSample,
} from '../../../src-main/learning/training/trainer.ts';

/** A trainer that computes nothing: it notes what it was told, and saves random files of any size, which it remembers. */
export class CountingTrainer implements Trainer {
  readonly rates: number[] = [];
  readonly steps: (readonly TrainingSample[])[] = [];
  readonly scored: Pick<TrainingSample, 'prompt' | 'response'>[] = [];
  /** Bytes of each file that it saves. */
  fileBytes = 100_000;
  /** What it saved last, and what it was to go on from, by names. */
  saved = new Map<string, Buffer>();
  from = new Map<string, Buffer>();
  opened: TrainerModel | undefined;
  closed = false;
  /** What a step waits for. */
  gate: Promise<unknown> = Promise.resolve();
  /** Whether a step was given up. */
  aborted = 0;
  fails: Error | undefined;

  async open(model: TrainerModel): Promise<Forecast> {
    this.opened = model;
    for (const name of model.from === undefined ? [] : ADAPTER_FILES) {
      this.from.set(name, await readFile(join(model.from as string, name)));
    }
    return { memory: 1_000, secondsPerStep: (samples, tokens) => samples * tokens };
  }

  async step(samples: readonly TrainingSample[], { rate = 1, signal }: StepOptions = {}): Promise<StepFigures> {
    if (this.fails) throw this.fails;
    const cancelled = signal ? once(signal, 'abort') : new Promise(() => undefined);
    await Promise.race([this.gate, cancelled]);
    if (signal?.aborted) this.aborted++;
    signal?.throwIfAborted();
    this.steps.push(samples);
    this.rates.push(rate);
    const loss = 1 / this.steps.length;
    return { loss, distillLoss: loss, klLoss: 0, gradNorm: Number.NaN, tokens: 10, seconds: 1 };
  }

  async score(sample: Pick<TrainingSample, 'prompt' | 'response'>): Promise<number[]> {
    this.scored.push({ prompt: sample.prompt, response: sample.response });
    return sample.response.map((token) => -token / 3);
  }

  async save(folder: string, _signal?: AbortSignal): Promise<void> {
    await mkdir(folder);
    for (const name of ADAPTER_FILES) {
      const bytes = await promisify(randomBytes)(this.fileBytes);
      this.saved.set(name, bytes);
      await writeFile(join(folder, name), bytes);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
