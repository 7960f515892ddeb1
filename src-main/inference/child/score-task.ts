import type { Token } from 'node-llama-cpp';
import type { TokenLogprobs } from '../backend.ts';
import type { SequenceTask } from './batch-loop.ts';
import type { LogprobReader } from './logprobs.ts';

export interface ScoreTaskOptions {
  prompt: readonly Token[];
  /** At least one token. */
  continuation: readonly Token[];
  logprobs: LogprobReader;
  onFinish: (tokens: TokenLogprobs[]) => void;
  onFail: (error: unknown) => void;
}

/** Reads how likely each token of a given continuation is: one pass over it, nothing generated. */
export class ScoreTask implements SequenceTask {
  readonly tokens: readonly Token[];
  readonly logitsFrom: number;
  readonly #options: ScoreTaskOptions;
  readonly #scored: TokenLogprobs[] = [];
  #ended = false;

  constructor(options: ScoreTaskOptions) {
    this.#options = options;
    // What would follow the last token is of no interest.
    this.tokens = [...options.prompt, ...options.continuation.slice(0, -1)];
    this.logitsFrom = options.prompt.length - 1;
  }

  get ended(): boolean {
    return this.#ended;
  }

  async onLogits(position: number, logits: number): Promise<void> {
    const { continuation, logprobs, onFinish } = this.#options;
    const token = continuation[position - this.logitsFrom];
    if (token === undefined) throw new Error(`Position ${position} is not part of the continuation.`);
    this.#scored.push(await logprobs.read(logits, token));
    if (this.#ended || this.#scored.length < continuation.length) return;
    this.#ended = true;
    onFinish(this.#scored);
  }

  cancel(): void {
    this.#ended = true;
  }

  fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onFail(error);
  }

  dispose(): void {
    this.#options.logprobs.dispose();
  }
}
