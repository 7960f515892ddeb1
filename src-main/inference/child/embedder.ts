import type { LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { TEXT_TOKENS } from '../engine-protocol.ts';

export interface EmbedderOptions {
  model: LlamaModel;
  threads: number;
  /** Tokens of the engine's context. */
  contextSize: number;
}

/** Embeddings of the loaded model, in a context of their own that is made when first asked for. */
export class Embedder {
  readonly #options: EmbedderOptions;
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
      const { vector } = await context.getEmbeddingFor(input);
      vectors.push(normalised(vector));
    }
    return { vectors, promptTokens };
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

function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : [...vector];
}
