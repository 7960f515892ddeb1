import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RandomModelShape, SMOLLM_135M, writeRandomModel } from '../made-models/random-model.ts';
import { type BenchEvent, note } from '../row.ts';
import { benchAnswers } from './answers.ts';
import { benchHarness } from './harness.ts';
import { benchReading } from './reading.ts';

/** What is measured: the harness beside the engine alone, how fast long prompts are read, and answers summed up. */
export const PARTS = ['harness', 'reading', 'answers'] as const;

export interface BenchEvaluateOptions {
  /** A GGUF file. Default: random weights in SmolLM-135M's shape that take 32k tokens, written to a temporary file. */
  model?: string;
  /** The peer in reading: `llama-bench` of the llama.cpp that node-llama-cpp ships. Default: node-llama-cpp's own loop. */
  llamaBench?: string;
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Tokens of the prompts that are read. Default 4k and 16k. */
  lengths?: readonly number[];
  /** Answers that are summed up. Default a million. */
  answers?: number;
  /** Default all. */
  only?: (typeof PARTS)[number];
}

/** As SmolLM-135M, whose own context is too short for what is read here. */
const LONG: RandomModelShape = { ...SMOLLM_135M, contextLength: 32_768 };
const SEED = 42;

/** What evaluating a model by long texts costs, on the processor. */
export async function* benchEvaluate({ only, ...options }: BenchEvaluateOptions): AsyncGenerator<BenchEvent> {
  const { runs = 5, lengths = [4_096, 16_384], answers = 1_000_000, llamaBench } = options;
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const model = options.model ?? join(folder, 'model.gguf');
  try {
    if (only !== 'answers' && options.model === undefined) await writeRandomModel(model, LONG, SEED);
    if (only === undefined || only === 'harness') {
      yield note('Asking the same questions by the harness and without it …');
      yield* benchHarness({ model, folder, runs });
    }
    if (only === undefined || only === 'reading') {
      yield note('Reading long prompts …');
      yield* benchReading({ model, runs, lengths, ...(llamaBench !== undefined && { llamaBench }) });
    }
    if (only === undefined || only === 'answers') {
      yield note('Writing the answers down …');
      yield* benchAnswers({ folder, runs, answers });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
