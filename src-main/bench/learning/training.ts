import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { seededRandom } from '../../base/seeded-random.ts';
import { readModelHeader } from '../../gguf/model-file.ts';
import { ANCHORS_A_STEP } from '../../learning/runs/batches.ts';
import { DEFAULT_RUN, trainerSettings } from '../../learning/runs/run-settings.ts';
import { JaxTrainer } from '../../learning/training/jax-trainer.ts';
import { modelShape } from '../../learning/training/model/shape.ts';
import { TorchEnvironment } from '../../learning/training/torch/torch-environment.ts';
import { TorchTrainer } from '../../learning/training/torch/torch-trainer.ts';
import type { Trainer, TrainingSample } from '../../learning/training/trainer.ts';
import { type RandomModelShape, SMOLLM_135M, TINY_QWEN3, writeRandomModel } from '../made-models/random-model.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { PeakMemory } from './peak-memory.ts';
import { torchFolder } from './torch-folder.ts';

export interface BenchTrainingOptions {
  /** A GGUF file. Default: random weights, of a tiny shape and of SmolLM-135M's, written to temporary files. */
  model?: string;
  /** Steps of each side, beside a first one that warms up. Default 5. */
  runs?: number;
}

/** As a step of a run has, with its anchors: answers of a sentence or two, to questions with a system prompt. */
const SAMPLES = DEFAULT_RUN.batch + ANCHORS_A_STEP;
const PROMPT_TOKENS = 40;
const ANSWER_TOKENS = 48;
const TEACHER_TOP = 100;
/** A goal of the issue: all of a trainer. */
const MOST_MB = 2_000;

/**
 * What learning costs, with one thread: seconds of an optimizer step on the samples of one, and the memory of the process that computes it, beside PyTorch
 * on the same samples where it is installed.
 */
export async function* benchTraining({ model, runs = 5 }: BenchTrainingOptions): AsyncGenerator<BenchEvent> {
  const installed = await new TorchEnvironment({ folder: torchFolder() }).installed();
  if (!installed)
    yield note(`PyTorch is not in ${torchFolder()}, so there is no peer: npm run test:torch-env installs it.`);
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const models = model === undefined ? await madeModels(folder) : [{ name: basename(model), path: model }];
    for (const { name, path } of models) {
      yield note(`${name} …`);
      yield* rows({ name, path, runs, folder, python: installed?.program });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function madeModels(folder: string): Promise<{ name: string; path: string }[]> {
  const made = async (name: string, shape: RandomModelShape) => {
    const path = join(folder, `${shape.layers}-layers.gguf`);
    await writeRandomModel(path, shape, 42);
    return { name, path };
  };
  return [await made('a tiny shape', TINY_QWEN3), await made('135 M parameters', SMOLLM_135M)];
}

interface Measured {
  name: string;
  path: string;
  runs: number;
  folder: string;
  python: string | undefined;
}

async function* rows({ name, path, runs, folder, python }: Measured): AsyncGenerator<BenchEvent> {
  const samples = madeSamples(modelShape(await readModelHeader(path)).vocabulary);
  const jax = new Side(new JaxTrainer({ priority: 0 }), path, samples);
  const torch = python
    ? new Side(
        new TorchTrainer({ python, workFolder: join(folder, 'torch'), device: 'cpu', threads: 1 }),
        path,
        samples,
      )
    : undefined;
  const sides = [jax, ...(torch ? [torch] : [])];
  try {
    for (const side of sides) await side.open();
    for (let run = 0; run < runs; run++) for (const side of sides) await side.step();
    const peer = torch && { peerName: 'PyTorch', peer: torch.seconds };
    const of = { bench: 'learn', case: `a step of ${SAMPLES} answers, ${name}` };
    yield { type: 'row', row: benchRow({ ...of, unit: 's (less is better)', goal: null, ours: jax.seconds, ...peer }) };
    const [ours, theirs] = [await jax.megabytes(), await torch?.megabytes()];
    if (ours === 0) return yield note('How much memory a process took at the most is only known on Linux.');
    const beside = theirs ? { peerName: 'PyTorch', peer: [theirs] } : {};
    const memory = { ...of, case: `memory at the most, ${name}`, unit: 'MB (less is better)', goal: `≤ ${MOST_MB}` };
    yield { type: 'row', row: benchRow({ ...memory, ours: [ours], ...beside }) };
  } finally {
    for (const side of sides) await side.close();
  }
}

/** A trainer on its samples. */
class Side {
  readonly seconds: number[] = [];
  readonly #trainer: Trainer & { readonly pid: number | undefined };
  readonly #path: string;
  readonly #samples: readonly TrainingSample[];
  readonly #peaks: PeakMemory;

  constructor(
    trainer: Trainer & { readonly pid: number | undefined },
    path: string,
    samples: readonly TrainingSample[],
  ) {
    this.#trainer = trainer;
    this.#path = path;
    this.#samples = samples;
    this.#peaks = new PeakMemory(() => ({ trainer: trainer.pid }));
  }

  /** With a first step, which compiles. */
  async open(): Promise<void> {
    const settings = trainerSettings(DEFAULT_RUN, { saysNew: false });
    await this.#trainer.open({ modelPath: this.#path, settings });
    await this.#trainer.step(this.#samples);
  }

  async step(): Promise<void> {
    const begun = performance.now();
    await this.#trainer.step(this.#samples);
    this.seconds.push((performance.now() - begun) / 1_000);
  }

  /** That it took at the most; 0 where that is not known. */
  async megabytes(): Promise<number> {
    await this.#peaks.look();
    return (this.#peaks.bytes.trainer ?? 0) / 1e6;
  }

  async close(): Promise<void> {
    this.#peaks.close();
    await this.#trainer.close();
  }
}

/** Of tokens that were drawn: the work is that of any. */
function madeSamples(vocabulary: number): TrainingSample[] {
  const random = seededRandom(7);
  const tokens = (count: number) => Array.from({ length: count }, () => Math.floor(random.uniform() * vocabulary));
  const logprobs = Array.from({ length: TEACHER_TOP }, (_, at) => -1 - 0.1 * at);
  return Array.from({ length: SAMPLES }, () => ({
    ...{ prompt: tokens(PROMPT_TOKENS), response: tokens(ANSWER_TOKENS) },
    teacher: Array.from({ length: ANSWER_TOKENS }, () => {
      const likeliest = [...new Set(tokens(TEACHER_TOP))];
      return { tokens: likeliest, logprobs: logprobs.slice(0, likeliest.length) };
    }),
  }));
}
