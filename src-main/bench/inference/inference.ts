import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMOLLM_135M, writeRandomModel } from '../made-models/random-model.ts';
import { type BenchEvent, note } from '../row.ts';
import { benchDrafting } from './drafting.ts';
import { benchInstructions } from './instructions.ts';
import { findLlamaServer } from './llama-server.ts';
import { benchMatrix } from './matrix.ts';
import { benchNewcomer } from './newcomer.ts';
import { benchStreams } from './streams.ts';
import { benchSwap } from './swap.ts';

export interface BenchInferenceOptions {
  /** The peer: `llama-server` of the llama.cpp that node-llama-cpp ships. Default: the one on PATH; without one, the peer’s column is empty. */
  llamaServer?: string | undefined;
  /** GGUF files; all of them are in the matrix, the first two in the swap, the first in the rest. Default: random weights in SmolLM-135M’s shape, written to a temporary file. */
  models?: readonly string[];
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Tokens to generate a request. Default 64. */
  tokens?: number;
  /** Tokens of the matrix’ prompts. Default 128 and 2,048. */
  prompts?: readonly number[];
  /** Requests at once of the matrix. Default 1, 2, 4 and 8. */
  streams?: readonly number[];
  /** Threads of all sides. Default: one, and all of the processor. */
  threads?: readonly number[];
  /** Ends it: what is under way fails then. */
  signal?: AbortSignal | undefined;
  /** Of drafting: a GGUF file that guesses for the first model. Default: both are made, and the guesses are always right. */
  draft?: string | undefined;
  /** Default: streams, newcomer and swap. */
  only?: 'streams' | 'newcomer' | 'swap' | 'instructions' | 'matrix' | 'drafting' | undefined;
}

/** The shape of the streams, with room for the long prompts of newcomer and matrix. */
const SHAPE = { ...SMOLLM_135M, contextLength: 16_384 };
const SEED = 42;

/** The engine child ÷ llama-server and ÷ a raw loop over the same llama.cpp, on the processor, with one thread and with all of them. */
export async function* benchInference(options: BenchInferenceOptions): AsyncGenerator<BenchEvent> {
  const { runs = 5, tokens = 64, prompts = [128, 2_048], streams = [1, 2, 4, 8], only, draft, signal } = options;
  const threads = options.threads ?? [...new Set([1, availableParallelism()])];
  if (only === 'drafting') {
    yield* benchDrafting({ ...{ runs, tokens, threads, draft, signal }, model: options.models?.[0] });
    return;
  }
  const llamaServer = findLlamaServer(options.llamaServer);
  const hasPeer = only === undefined || only === 'streams' || only === 'matrix';
  if (hasPeer && llamaServer === undefined)
    yield note('There is no llama-server on PATH: the peer’s column stays empty.');
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    const models = options.models?.length ? options.models : [await randomModel(folder)];
    const [model = ''] = models;
    const shared = { llamaServer, runs, tokens, signal };
    if (only === undefined || only === 'streams') yield* benchStreams({ ...shared, model, threads });
    if (only === undefined || only === 'newcomer') yield* benchNewcomer({ model, threads, signal });
    if (only === undefined || only === 'swap') yield* benchSwap({ models, runs, threads, signal });
    if (only === 'instructions') yield* benchInstructions({ model, threads, runs, signal });
    if (only === 'matrix') yield* benchMatrix({ ...shared, models, threads, prompts, streams });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function randomModel(folder: string): Promise<string> {
  const path = join(folder, 'random.gguf');
  await writeRandomModel(path, SHAPE, SEED);
  return path;
}
