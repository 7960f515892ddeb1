import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { readModelHeader } from '../../gguf/model-file.ts';
import type { GenerateOptions } from '../../inference/backend.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { writeMadeAdapter } from '../made-models/adapter.ts';
import { SMOLLM_135M, writeRandomModel } from '../made-models/random-model.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';

export interface BenchServingOptions {
  /** A GGUF file. Default: random weights in SmolLM-135M's shape, written to a temporary file. */
  model?: string;
  /** Runs of each side. Default 5. */
  runs?: number;
}

/** As a version of an adapter that was learnt: all matrices of all layers. */
const RANK = 8;
const TOKENS = 64;
/** One-token answers between which the adapter changes. */
const CHANGES = 20;

/**
 * What serving with adapters costs, with one thread: tokens a second with one ÷ without, two adapters in turns ÷ one after the other, what
 * is kept of an answer to learn from, and milliseconds until another adapter answers.
 */
export async function* benchServing(options: BenchServingOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  const model = options.model ?? join(folder, 'model.gguf');
  if (options.model === undefined) await writeRandomModel(model, SMOLLM_135M, 42);
  yield note('Loading the model …');
  const bench = new ServingBench(folder, model, options.runs ?? 5);
  try {
    await bench.open();
    yield* bench.rows();
  } finally {
    await bench.close();
    await rm(folder, { recursive: true });
  }
}

type Asked = { options?: GenerateOptions; topLogprobs?: number };

class ServingBench {
  readonly #folder: string;
  readonly #model: string;
  readonly #runs: number;
  readonly #engine: LocalBackend;
  /** Makes every prompt another. */
  #asked = 0;

  constructor(folder: string, model: string, runs: number) {
    this.#folder = folder;
    this.#model = model;
    this.#runs = runs;
    const shared = { threads: 1, parallel: 4, contextSize: 1024, gpuLayers: 0 };
    this.#engine = new LocalBackend({ modelPath: model, log: pino({ level: 'silent' }), ...shared });
  }

  async open(): Promise<void> {
    const header = await readModelHeader(this.#model);
    for (const seed of [1, 2]) await writeMadeAdapter(this.#path(seed), header, { rank: RANK, size: 0.02, seed });
    await this.#engine.open();
    await this.#answers([{}, this.#with(1), this.#with(2)]);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async *rows(): AsyncGenerator<BenchEvent> {
    const [one, other] = [this.#with(1), this.#with(2)];
    const plain = () => this.#answers([{}]);
    yield await this.#speed(
      'an answer with an adapter',
      '≥ 0.8',
      'the model as it is',
      () => this.#answers([one]),
      plain,
    );
    const inTurns = () => this.#answers([one, other, one, other]);
    const inOrder = async () => 2 / (1 / (await this.#answers([one, one])) + 1 / (await this.#answers([other, other])));
    yield await this.#speed('2 + 2 answers of two adapters', '≥ 0.9', 'one after the other', inTurns, inOrder);
    const ids = () => this.#answers([{ options: { tokenIds: true } }]);
    yield await this.#speed('an answer whose tokens are kept', '≥ 0.97', 'not kept', ids, plain);
    const logprobs = () => this.#answers([{ topLogprobs: 0 }]);
    yield await this.#speed('an answer whose log-probabilities are kept', null, 'not kept', logprobs, plain);
    yield await this.#change();
  }

  async #speed(
    name: string,
    goal: string | null,
    peerName: string,
    ours: () => Promise<number>,
    peer: () => Promise<number>,
  ) {
    const figures = { ours: [] as number[], peer: [] as number[] };
    for (let run = 0; run < this.#runs; run++) {
      figures.ours.push(await ours());
      figures.peer.push(await peer());
    }
    return {
      type: 'row' as const,
      row: benchRow({ bench: 'learn', case: name, unit: 'tokens/s', goal, peerName, ...figures }),
    };
  }

  /** What it takes more to answer with another adapter than with the same. */
  async #change() {
    const [one, other] = [this.#path(1), this.#path(2)];
    const ours: number[] = [];
    for (let run = 0; run < this.#runs; run++)
      ours.push((await this.#shortMs(one, other)) - (await this.#shortMs(one, one)));
    return {
      type: 'row' as const,
      row: benchRow({ bench: 'learn', case: 'change of the adapter', unit: 'ms', goal: '≤ 1000', ours }),
    };
  }

  /** Milliseconds of an answer of one token, whose prompt is there. */
  async #shortMs(...adapters: [string, string]): Promise<number> {
    const ask = (adapter: string) =>
      Array.fromAsync(this.#engine.generate({ input: { prompt: 'baba' }, maxTokens: 1, temperature: 0 }, { adapter }));
    for (const adapter of adapters) await ask(adapter);
    const started = performance.now();
    for (let change = 0; change < CHANGES; change++) await ask(adapters[change % 2] as string);
    return (performance.now() - started) / CHANGES;
  }

  /** Tokens a second of answers at once. */
  async #answers(all: readonly Asked[]): Promise<number> {
    const started = performance.now();
    const counts = await Promise.all(all.map((asked) => this.#answer(asked)));
    return (counts.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - started);
  }

  async #answer({ options, topLogprobs }: Asked): Promise<number> {
    const prompt = `${this.#asked++} foxes and a hen: the story of the night in which`;
    const request = { input: { prompt }, maxTokens: TOKENS, temperature: 0.7, seed: this.#asked, topLogprobs };
    for await (const event of this.#engine.generate(request, options)) {
      if (event.type === 'done') return event.result.completionTokens;
    }
    throw new Error('The engine ended without a result.');
  }

  #with(seed: number): Asked {
    return { options: { adapter: this.#path(seed) } };
  }

  #path(seed: number): string {
    return join(this.#folder, `adapter-${seed}.gguf`);
  }
}
