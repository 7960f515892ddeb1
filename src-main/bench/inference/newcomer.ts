import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { quantile } from '../../base/quantile.ts';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { RandomTexts } from '../random-texts.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { threadText } from './streams.ts';

export interface BenchNewcomerOptions {
  model: string;
  threads: readonly number[];
  signal?: AbortSignal | undefined;
}

const STREAMS = 4;
const LONG_PROMPT = 8_000;
const SHORT_PROMPT = 16;
const CONTEXT = 8_704;
const NEWCOMERS = 100;
const BETWEEN_MS = 400;
/** Of a slow machine fewer newcomers are measured. */
const MOST_MS = 90_000;
const DEADLINE_MS = 30_000;
const GREEDY = { temperature: 0, repeatPenalty: 1 };

/**
 * How long newcomers with a short question wait for their first token while four answers are being written and a prompt of 8,000 tokens is
 * being read, and how long those answers wait for a token meanwhile: the worst of a hundred.
 */
export async function* benchNewcomer({ model, threads, signal }: BenchNewcomerOptions): AsyncGenerator<BenchEvent> {
  for (const count of threads) {
    yield note(`${threadText(count)}: newcomers beside four answers and a long prompt …`);
    yield* measured(model, count, signal);
  }
}

async function* measured(model: string, threads: number, signal?: AbortSignal): AsyncGenerator<BenchEvent> {
  const shared = { threads, parallel: STREAMS + 4, contextSize: CONTEXT, gpuLayers: 0 };
  const engine = new LocalBackend({ modelPath: model, log: pino({ level: 'silent' }), ...shared });
  signal?.addEventListener('abort', () => void engine.close(), { once: true });
  try {
    await engine.open();
    engine.useDecodeCosts(await engine.measureDecoding());
    const crowd = new Crowd(engine);
    const { first, gaps } = await crowd.measure();
    const row = { bench: 'inference', unit: 'ms' };
    const name = `newcomer, 4 answers, 8k prompt, ${threadText(threads)}`;
    yield { type: 'row', row: benchRow({ ...row, case: `${name}: first token, p50`, goal: null, ours: first }) };
    yield {
      type: 'row',
      row: benchRow({ ...row, case: `${name}: first token, p99`, goal: '≤ 250', ours: [quantile(first, 0.99)] }),
    };
    yield {
      type: 'row',
      row: benchRow({ ...row, case: `${name}: longest pause of an answer`, goal: '≤ 200', ours: [gaps.at(-1) ?? 0] }),
    };
  } finally {
    await engine.close();
  }
}

/** Those who are there before, and those who come. */
class Crowd {
  readonly #engine: LocalBackend;
  readonly #prompts: RandomTexts;
  readonly #over = new AbortController();
  readonly #gaps: number[] = [];

  constructor(engine: LocalBackend) {
    this.#engine = engine;
    this.#prompts = new RandomTexts(engine);
  }

  /** Both in milliseconds, ascending. */
  async measure(): Promise<{ first: number[]; gaps: number[] }> {
    const there = [...Array.from({ length: STREAMS }, () => this.#answers()), this.#readsLong()];
    const newcomers = this.#newcomers().finally(() => this.#over.abort());
    const [first] = await Promise.all([newcomers, ...there]);
    const ascending = (values: number[]) => values.toSorted((a, b) => a - b);
    return { first: ascending(first), gaps: ascending(this.#gaps) };
  }

  async #newcomers(): Promise<number[]> {
    await sleep(2_000); // all the others are under way
    this.#gaps.length = 0;
    const first: number[] = [];
    const end = performance.now() + MOST_MS;
    while (first.length < NEWCOMERS && performance.now() < end && !this.#over.signal.aborted) {
      first.push(await this.#firstToken());
      await sleep(BETWEEN_MS);
    }
    return first;
  }

  /** Answers one after the other. */
  async #answers(): Promise<void> {
    while (!this.#over.signal.aborted) {
      let last: number | undefined;
      await this.#ask(SHORT_PROMPT, 4_000, () => {
        const now = performance.now();
        if (last !== undefined) this.#gaps.push(now - last);
        last = now;
      });
    }
  }

  async #readsLong(): Promise<void> {
    while (!this.#over.signal.aborted) await this.#ask(LONG_PROMPT, 1, () => undefined);
  }

  async #firstToken(): Promise<number> {
    const prompt = await this.#prompts.take(SHORT_PROMPT);
    const began = performance.now();
    for await (const event of this.#engine.generate(
      { input: { prompt }, maxTokens: 1, ...GREEDY },
      { deadlineMs: DEADLINE_MS },
    ))
      if (event.type === 'chunk') return performance.now() - began;
    throw new Error('The engine ended without a token.');
  }

  async #ask(promptTokens: number, maxTokens: number, onPiece: () => void): Promise<void> {
    const prompt = await this.#prompts.take(promptTokens);
    try {
      const { signal } = this.#over;
      for await (const event of this.#engine.generate({ input: { prompt }, maxTokens, ...GREEDY }, { signal }))
        if (event.type === 'chunk') onPiece();
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
    }
  }
}
