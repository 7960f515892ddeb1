import type { Token } from 'node-llama-cpp';
import type { TokenLogprobs } from '../backend.ts';
import type { Generated } from '../engine-protocol.ts';
import type { AdapterUse } from './adapters.ts';
import type { Answer } from './answers.ts';
import type { TokenChooser } from './choosers.ts';
import type { KeptPrompt } from './kept-prompts/kept-prompts.ts';
import type { AdapterWeights } from './loop/addon.ts';
import type { SequenceTask } from './loop/sequence-task.ts';
import { type TextPiece, TextStream } from './text-stream.ts';
import type { LogprobReader, Vocabulary } from './vocabulary.ts';

export interface GenerateTaskOptions {
  answer: Answer;
  prompt: readonly Token[];
  /** Most tokens to generate; prompt and answer fit the context. */
  maxTokens: number;
  stop: readonly string[];
  vocabulary: Vocabulary;
  chooser: TokenChooser;
  /** Default: the model as it is. */
  adapter?: AdapterUse | undefined;
  /** See {@link SequenceTask.fresh}. */
  fresh?: boolean | undefined;
  /** See {@link SequenceTask.asker}. */
  asker?: string | undefined;
  /** See {@link SequenceTask.kept}. */
  kept?: KeptPrompt | undefined;
  /** Its tokens may be guessed ahead and computed several at a time, which rounds them in another way. Default: they are not. */
  guessable?: boolean;
  /** The tokens that were sampled come with the result. Default: they do not. */
  tokenIds?: boolean | undefined;
  /** Tools are offered: what marks a call is text. Default: it is not. */
  marks?: boolean;
  /** The answer's beginning, which stands in the prompt. Default: none. */
  opening?: string;
}

/** Generates an answer token by token. */
export class GenerateTask implements SequenceTask {
  readonly tokens: Token[];
  readonly logitsFrom: number;
  readonly #options: GenerateTaskOptions;
  readonly #text: TextStream;
  readonly #sampled: Token[] = [];
  #completionTokens = 0;

  constructor(options: GenerateTaskOptions) {
    this.#options = options;
    this.tokens = [...options.prompt];
    this.logitsFrom = options.prompt.length - 1;
    this.#text = new TextStream(options.stop);
  }

  get adapter(): AdapterWeights | undefined {
    return this.#options.adapter?.weights;
  }

  get fresh(): boolean {
    return this.#options.fresh ?? false;
  }

  get asker(): string | undefined {
    return this.#options.asker;
  }

  get kept(): KeptPrompt | undefined {
    return this.#options.kept;
  }

  get guessable(): number {
    return this.#options.guessable ? this.#options.maxTokens - this.#completionTokens - 1 : 0;
  }

  get ended(): boolean {
    return this.#options.answer.over;
  }

  async onLogits(_position: number, logits: number): Promise<void> {
    const { answer, chooser, vocabulary, maxTokens, marks, opening = '' } = this.#options;
    const token = await chooser.choose(logits);
    if (answer.over) return;
    answer.token();
    this.#sampled.push(token);
    if (this.#completionTokens === 0) this.#show({ text: opening, tokens: 0, logprobs: [] });
    if (vocabulary.isEnd(token)) return this.#finish('stop');
    const known = await chooser.known(logits, token);
    if (answer.over) return;
    this.tokens.push(token);
    this.#completionTokens++;
    this.#show(this.#text.push(vocabulary.textBytes(token, marks), known));
    if (this.#text.stopped) this.#finish('stop');
    else if (this.#completionTokens >= maxTokens) this.#finish('length');
  }

  fail(error: unknown): void {
    this.#options.answer.fail(error);
  }

  dispose(): void {
    this.#options.chooser.dispose();
    this.#options.adapter?.release();
  }

  #finish(finish: Generated['finish']): void {
    const { answer, prompt, tokenIds, chooser } = this.#options;
    this.#show(this.#text.end());
    const counts = { promptTokens: prompt.length, completionTokens: this.#completionTokens };
    answer.done({
      kind: 'generate',
      generated: { finish, ...counts, ...answer.figures },
      ...(tokenIds && { tokenIds: this.#sampled }),
      ...(chooser.evidence && { evidence: chooser.evidence }),
    });
  }

  #show(piece: TextPiece): void {
    if (piece.text !== '' || piece.tokens > 0) this.#options.answer.chunk(piece);
  }
}

export interface ScoreTaskOptions {
  answer: Answer;
  prompt: readonly Token[];
  /** At least one token. */
  continuation: readonly Token[];
  logprobs: LogprobReader;
  /** Default: the model as it is. */
  adapter?: AdapterUse | undefined;
  /** See {@link SequenceTask.fresh}. */
  fresh?: boolean | undefined;
}

/** Reads how likely each token of a given continuation is: one pass over it, nothing generated. */
export class ScoreTask implements SequenceTask {
  readonly tokens: readonly Token[];
  readonly logitsFrom: number;
  readonly #options: ScoreTaskOptions;
  readonly #scored: TokenLogprobs[] = [];

  constructor(options: ScoreTaskOptions) {
    this.#options = options;
    // What would follow the last token is of no interest.
    this.tokens = [...options.prompt, ...options.continuation.slice(0, -1)];
    this.logitsFrom = options.prompt.length - 1;
  }

  get adapter(): AdapterWeights | undefined {
    return this.#options.adapter?.weights;
  }

  get fresh(): boolean {
    return this.#options.fresh ?? false;
  }

  get ended(): boolean {
    return this.#options.answer.over;
  }

  async onLogits(position: number, logits: number): Promise<void> {
    const { answer, continuation, logprobs } = this.#options;
    const token = continuation[position - this.logitsFrom];
    if (token === undefined) throw new Error(`Position ${position} is not part of the continuation.`);
    this.#scored.push(await logprobs.read(logits, token));
    if (this.#scored.length === continuation.length) answer.done({ kind: 'score', tokens: this.#scored });
  }

  fail(error: unknown): void {
    this.#options.answer.fail(error);
  }

  dispose(): void {
    this.#options.logprobs.dispose();
    this.#options.adapter?.release();
  }
}
