import type { Token } from 'node-llama-cpp';
import type { FinishReason } from '../backend.ts';
import type { Sampler } from './addon.ts';
import type { SequenceTask } from './batch-loop.ts';
import type { LogprobReader } from './logprobs.ts';
import { type TextPiece, TextStream } from './text-stream.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface GenerateTaskOptions {
  prompt: readonly Token[];
  /** Most tokens to generate; prompt and answer fit the context. */
  maxTokens: number;
  stop: readonly string[];
  vocabulary: Vocabulary;
  sampler: Sampler;
  logprobs: LogprobReader | undefined;
  onPiece: (piece: TextPiece) => void;
  onFirstToken: () => void;
  onFinish: (finish: FinishReason, completionTokens: number) => void;
  onFail: (error: unknown) => void;
}

/** Generates an answer token by token. */
export class GenerateTask implements SequenceTask {
  readonly tokens: Token[];
  readonly logitsFrom: number;
  readonly #options: GenerateTaskOptions;
  readonly #text: TextStream;
  #completionTokens = 0;
  #ended = false;

  constructor(options: GenerateTaskOptions) {
    this.#options = options;
    this.tokens = [...options.prompt];
    this.logitsFrom = options.prompt.length - 1;
    this.#text = new TextStream(options.stop);
  }

  get ended(): boolean {
    return this.#ended;
  }

  async onLogits(_position: number, logits: number): Promise<void> {
    const { sampler, vocabulary, logprobs, maxTokens, onFirstToken } = this.#options;
    const token = await sampler.sample(logits);
    if (this.#ended) return;
    if (this.#completionTokens === 0) onFirstToken();
    if (vocabulary.isEnd(token)) return this.#finish('stop');
    const known = await logprobs?.read(logits, token);
    if (this.#ended) return;
    this.tokens.push(token);
    this.#completionTokens++;
    this.#show(this.#text.push(vocabulary.textBytes(token), known));
    if (this.#text.stopped) this.#finish('stop');
    else if (this.#completionTokens >= maxTokens) this.#finish('length');
  }

  /** Nobody waits for it any more. */
  cancel(): void {
    this.#ended = true;
  }

  fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onFail(error);
  }

  dispose(): void {
    this.#options.sampler.dispose();
    this.#options.logprobs?.dispose();
  }

  #finish(finish: FinishReason): void {
    this.#ended = true;
    this.#show(this.#text.end());
    this.#options.onFinish(finish, this.#completionTokens);
  }

  #show(piece: TextPiece): void {
    if (piece.text !== '' || piece.tokens > 0) this.#options.onPiece(piece);
  }
}
