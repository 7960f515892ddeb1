import type { LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Turns } from '../../base/turns.ts';
import type { GgufHeader } from '../../gguf/header.ts';
import { type LoadedInfo, TEXT_TOKENS } from '../engine-protocol.ts';
import { openEmbeddingAddon } from './loop/addon.ts';

export interface EmbedderOptions {
  model: LlamaModel;
  threads: number;
  /** Tokens of the engine's context. */
  contextSize: number;
  /** A text is read piece by piece, so that answers get on meanwhile: only where {@link hasMeansOfPieces}. */
  inPieces: boolean;
}

/** Always so many, and not by how busy it is: the vectors of a text are the same each time. llama.cpp is slower with less than 64. */
const PIECE_TOKENS = 64;

/** Embeddings of the loaded model, in a context of their own that is made when first asked for. */
export class Embedder {
  readonly #options: EmbedderOptions;
  /** The context holds one text at a time. */
  readonly #turns = new Turns();
  #context: Promise<LlamaEmbeddingContext> | undefined;

  constructor(options: EmbedderOptions) {
    this.#options = options;
  }

  /**
   * @returns a vector of length 1 for each text
   * @throws CONTEXT_TOO_LONG, OUT_OF_MEMORY
   */
  async embed(
    inputs: readonly string[],
    isCancelled: () => boolean,
  ): Promise<{ vectors: number[][]; promptTokens: number }> {
    const context = await this.#open();
    const vectors: number[][] = [];
    let promptTokens = 0;
    for (const [index, input] of inputs.entries()) {
      if (isCancelled()) break;
      promptTokens += this.#checkedLength(context, input, index);
      vectors.push(normalised(await this.#turns.take(() => this.#vectorOf(context, input, isCancelled))));
    }
    return { vectors, promptTokens };
  }

  async #vectorOf(
    context: LlamaEmbeddingContext,
    input: string,
    isCancelled: () => boolean,
  ): Promise<readonly number[]> {
    const { model, inPieces } = this.#options;
    if (!inPieces) return (await context.getEmbeddingFor(input)).vector;
    const pieces = openEmbeddingAddon(context);
    const tokens = pieces.prepared(model.tokenize(input));
    const sum = new Array<number>(model.embeddingVectorSize).fill(0);
    for (let at = 0; at < tokens.length && !isCancelled(); at += PIECE_TOKENS) {
      const piece = tokens.slice(at, at + PIECE_TOKENS);
      const mean = await pieces.pooled(piece, at);
      for (const [index, value] of mean.entries()) sum[index] = (sum[index] ?? 0) + value * piece.length;
    }
    return sum;
  }

  get #limit(): number {
    return Math.min(this.#options.contextSize, TEXT_TOKENS);
  }

  #checkedLength(context: LlamaEmbeddingContext, input: string, index: number): number {
    const tokens = context.calculateInputLength(input);
    if (tokens < this.#limit) return tokens;
    throw new QuarryError({
      code: 'CONTEXT_TOO_LONG',
      message: say('engine.textTooLong', { tokens, most: this.#limit - 1 }),
      hint: say('engine.shorterPieces'),
      field: `inputs.${index}`,
    });
  }

  #open(): Promise<LlamaEmbeddingContext> {
    this.#context ??= this.#create();
    return this.#context;
  }

  async #create(): Promise<LlamaEmbeddingContext> {
    const { model, threads } = this.#options;
    try {
      return await model.createEmbeddingContext({ contextSize: this.#limit, batchSize: this.#limit, threads });
    } catch (error) {
      this.#context = undefined;
      throw new QuarryError(
        {
          code: 'OUT_OF_MEMORY',
          message: say('engine.noMemoryToEmbed'),
          hint: say('engine.lowerContext'),
        },
        { cause: error },
      );
    }
  }
}

/** Whether a model's vector of a text is the mean over its tokens, of which none knows those after it: then it is that over its pieces, too. */
export function hasMeansOfPieces({ metadata }: GgufHeader, { architecture, embedsOnly }: LoadedInfo): boolean {
  // Without a pooling of its own, and not made for embeddings, it is loaded with this one.
  const ownPooling = metadata.has(`${architecture}.pooling_type`);
  return !embedsOnly && !ownPooling && metadata.get(`${architecture}.attention.causal`) !== false;
}

function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : [...vector];
}
