import { basename } from 'node:path';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, note } from '../row.ts';
import { loadedSides } from './loaded.ts';
import { type BenchStreamsOptions, completed, rowsOf, threadText } from './streams.ts';

export interface BenchMatrixOptions extends Omit<BenchStreamsOptions, 'model'> {
  /** GGUF files: one for each quantisation. */
  models: readonly string[];
  /** Tokens of the prompts. */
  prompts: readonly number[];
  /** Requests at once. */
  streams: readonly number[];
}

/** Every model with every number of threads and streams and every length of prompts, beside llama-server and the raw loop. */
export async function* benchMatrix({ models, threads, ...options }: BenchMatrixOptions): AsyncGenerator<BenchEvent> {
  for (const model of models) for (const count of threads) yield* benchModel({ ...options, model }, count);
}

async function* benchModel(
  {
    model,
    llamaServer,
    runs,
    tokens,
    prompts,
    streams,
    signal,
  }: Omit<BenchMatrixOptions, 'models' | 'threads'> & { model: string },
  threads: number,
): AsyncGenerator<BenchEvent> {
  const name = `${basename(model, '.gguf')}, ${threadText(threads)}`;
  yield note(`${name}: loading the model on all sides …`);
  const contextSize = Math.max(...prompts) + tokens + 256;
  await using sides = await loadedSides({
    model,
    llamaServer,
    threads,
    signal,
    parallel: Math.max(...streams),
    contextSize,
  });
  const compared = { ...sides, runs, tokens, prompts: new RandomTexts(sides.engine) };
  await completed({ ...compared, runs: 1, tokens: 4 }, 1, 64);
  for (const length of prompts)
    for (const count of streams) {
      const figures = await completed(compared, count, length);
      yield* rowsOf(`${name}, prompts of ${length}, streams: ${count}`, figures, '≥ 1');
    }
}
