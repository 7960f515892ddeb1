import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { FinishReason } from '../../../src-preload/contract/inference.ts';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { GenerateOptions, InferenceBackend, TokenLogprobs } from '../../inference/backend.ts';

/** Which model is asked, and whether it still is to answer. */
export interface Asking {
  /** GGUF file of the adapter that is measured. Default: the model as it is. */
  adapter?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface AnswerOptions extends Asking {
  /** Most tokens of the answer. */
  maxTokens: number;
  /** Default 0: greedy. */
  temperature?: number;
  /** Default 0. */
  seed?: number;
  /** How many of the likeliest tokens are told at each place, 0–20. Default: none, and no log-probabilities at all. */
  topLogprobs?: number;
}

export interface GivenAnswer {
  text: string;
  finish: FinishReason;
  /** Tokens of the answer. */
  tokens: number;
  logprobs?: TokenLogprobs[];
}

/** How likely a text is as the answer: natural-log probabilities of its tokens. */
export interface ScoredAnswer {
  logprobs: readonly number[];
  /** Their sum, in nats. */
  total: number;
}

/** All that measuring needs of a model: any backend will do. Throws what the backend throws. */
export interface Asked {
  generate(messages: readonly ChatMessage[], options: AnswerOptions): Promise<GivenAnswer>;
  score(messages: readonly ChatMessage[], answer: string, options?: Asking): Promise<ScoredAnswer>;
}

/** @throws (when asked to score) ENGINE_UNAVAILABLE where the backend cannot tell how likely a text is */
export function askedOf(backend: Pick<InferenceBackend, 'generate' | 'score'>): Asked {
  return {
    generate: (messages, options) => answerOf(backend, messages, options),
    async score(messages, continuation, { adapter, signal } = {}) {
      if (!backend.score) throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('evaluation.noScores') });
      const options: GenerateOptions & Asking = { adapter, signal };
      const { tokens, totalLogprob } = await backend.score(
        { input: { messages: [...messages] }, continuation },
        options,
      );
      return { logprobs: tokens.map(({ logprob }) => logprob), total: totalLogprob };
    },
  };
}

async function answerOf(
  backend: Pick<InferenceBackend, 'generate'>,
  messages: readonly ChatMessage[],
  { adapter, signal, maxTokens, temperature = 0, seed = 0, topLogprobs }: AnswerOptions,
): Promise<GivenAnswer> {
  const options: GenerateOptions & Asking = { adapter, signal };
  const request = { input: { messages: [...messages] }, maxTokens, temperature, seed, topLogprobs };
  let text = '';
  const logprobs: TokenLogprobs[] = [];
  for await (const event of backend.generate(request, options)) {
    if (event.type === 'chunk') {
      text += event.text;
      logprobs.push(...(event.logprobs ?? []));
    } else {
      const { finish, completionTokens: tokens } = event.result;
      return { text, finish, tokens, ...(topLogprobs !== undefined && { logprobs }) };
    }
  }
  throw new QuarryError({ code: 'ENGINE_CRASHED', message: say('evaluation.noAnswer'), retryable: true });
}
