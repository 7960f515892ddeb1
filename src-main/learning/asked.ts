import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { ChatMessage } from '../../src-preload/contract/request.ts';
import type { TokenLogprobs } from '../inference/backend.ts';

/** Which model is asked, and whether it still is to answer. */
export interface AskOptions {
  /** Path of an adapter's GGUF file. Default: the model as it is. */
  adapter?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface AnswerOptions extends AskOptions {
  /** Most tokens of the answer. */
  maxTokens: number;
  /** Default 0: greedy. Above it tokens are drawn from all of the vocabulary, by their probabilities. */
  temperature?: number | undefined;
  /** Default 0. */
  seed?: number | undefined;
  /** How many of the likeliest tokens are told at each place, 0–20. Default: none, and no log-probabilities at all. */
  topLogprobs?: number | undefined;
}

/** An answer of this node's model, token by token. */
export interface AskedAnswer {
  text: string;
  /** `stop`: the model ended it itself. */
  finish: 'stop' | 'length';
  /** As they were sampled, with the one that ended the answer where there is one. */
  tokens: number[];
  /** Where they were asked for. */
  logprobs?: TokenLogprobs[];
}

/** How likely a model finds an answer that is given: natural-log probabilities. */
export interface AskedScore {
  tokens: number[];
  logprobs: number[];
  /** For each token, the likeliest at its place, best first. */
  top: { tokens: number[]; logprobs: number[] }[];
}

/** This node's own model, as learning asks it: for answers to learn from, and to measure what it has learnt. All throw what the engine throws. */
export interface Asked {
  answer(messages: readonly ChatMessage[], options: AnswerOptions): Promise<AskedAnswer>;
  /**
   * @param continuation a text, or tokens as they were sampled
   * @param options `topK`: of the likeliest at each place, 0–100; default 0
   */
  score(
    messages: readonly ChatMessage[],
    continuation: string | readonly number[],
    options?: AskOptions & { topK?: number },
  ): Promise<AskedScore>;
  /** Of a text as the model would have answered it, with the token that ends its turn. */
  answerTokens(messages: readonly ChatMessage[], text: string): Promise<number[]>;
  /** Of the prompt, as the model is given it. */
  tokens(messages: readonly ChatMessage[]): Promise<number[]>;
}

/** All that measuring needs of it. */
export type AskedAnswers = Pick<Asked, 'answer' | 'score'>;

/** What comes of asking; undefined where the engine's context has no room for it. @throws other errors */
export async function unlessTooLong<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof QuarryError && error.code === 'CONTEXT_TOO_LONG') return undefined;
    throw error;
  }
}
