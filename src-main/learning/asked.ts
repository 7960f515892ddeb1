import type { ChatMessage } from '../../src-preload/contract/request.ts';

/** An answer of this node's model, token by token. */
export interface AskedAnswer {
  text: string;
  /** `stop`: the model ended it itself. */
  finish: 'stop' | 'length';
  /** As they were sampled, with the one that ended the answer where there is one. */
  tokens: number[];
}

/** How likely a model finds an answer that is given: natural-log probabilities. */
export interface AskedScore {
  tokens: number[];
  logprobs: number[];
  /** For each token, the likeliest at its place, best first. */
  top: { tokens: number[]; logprobs: number[] }[];
}

export interface AskOptions {
  /** Path of an adapter's GGUF file. Default: the model as it is. */
  adapter?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface SampleOptions extends AskOptions {
  temperature: number;
  maxTokens: number;
  seed: number;
}

/** This node's own model, as learning asks it. */
export interface Asked {
  answer(messages: readonly ChatMessage[], options: SampleOptions): Promise<AskedAnswer>;
  /** @param continuation a text, or tokens as they were sampled */
  score(
    messages: readonly ChatMessage[],
    continuation: string | readonly number[],
    options: AskOptions & { topK?: number },
  ): Promise<AskedScore>;
  /** Of a text as the model would have answered it, with the token that ends its turn. */
  answerTokens(messages: readonly ChatMessage[], text: string): Promise<number[]>;
  /** Of the prompt, as the model is given it. */
  tokens(messages: readonly ChatMessage[]): Promise<number[]>;
}
