import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { ChatMessage } from '../../src-preload/contract/request.ts';
import { say } from '../../src-preload/contract/saying.ts';
import type { InferenceBackend, TokenLogprobs, TokenProbability } from '../inference/backend.ts';
import type { AnswerOptions, Asked, AskedAnswer, AskedScore, AskOptions } from './asked.ts';

type Engine = Pick<InferenceBackend, 'status' | 'generate' | 'score' | 'tokenize'>;

/** A node's engine, as learning asks it. */
export class AskedEngine implements Asked {
  readonly #engine: () => Engine;

  /** @param engine the one that is loaded now; throws where none is */
  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  async answer(messages: readonly ChatMessage[], options: AnswerOptions): Promise<AskedAnswer> {
    const { adapter, signal, temperature = 0, maxTokens, seed = 0, topLogprobs } = options;
    const request = { input: { messages: [...messages] }, temperature, maxTokens, seed, topLogprobs, topK: 0, topP: 1 };
    const events = this.#engine().generate(request, {
      ...(adapter && { adapter }),
      ...(signal && { signal }),
      tokenIds: true,
    });
    const logprobs: TokenLogprobs[] = [];
    for await (const event of events) {
      if (event.type === 'chunk') {
        logprobs.push(...(event.logprobs ?? []));
        continue;
      }
      const { result, tokenIds: tokens } = event;
      const { text, finish } = result;
      if (!tokens || finish === 'tool_calls') break;
      return { text, finish, tokens, ...(topLogprobs !== undefined && { logprobs }) };
    }
    throw noTokens();
  }

  async score(
    messages: readonly ChatMessage[],
    continuation: string | readonly number[],
    { adapter, signal, topK = 0 }: AskOptions & { topK?: number } = {},
  ): Promise<AskedScore> {
    const engine = this.#engine();
    if (!engine.score) throw noTokens();
    const { tokens } = await engine.score(
      { input: { messages: [...messages] }, continuation, topK },
      { ...(adapter && { adapter }), ...(signal && { signal }) },
    );
    return {
      tokens: tokens.map(idOf),
      logprobs: tokens.map(({ logprob }) => logprob),
      top: tokens.map(({ top }) => ({ tokens: top.map(idOf), logprobs: top.map(({ logprob }) => logprob) })),
    };
  }

  async answerTokens(messages: readonly ChatMessage[], text: string): Promise<number[]> {
    const end = this.#engine().status().model?.endToken;
    if (end === undefined) throw noTokens();
    return [...(await this.score(messages, text)).tokens, end];
  }

  async tokens(messages: readonly ChatMessage[]): Promise<number[]> {
    const engine = this.#engine();
    if (!engine.tokenize) throw noTokens();
    return await engine.tokenize({ messages: [...messages] });
  }
}

function idOf({ id }: TokenProbability): number {
  if (id === undefined) throw noTokens();
  return id;
}

/** Another machine computes, and tells text alone. */
export function noTokens(): QuarryError {
  return new QuarryError({
    code: 'ENGINE_UNAVAILABLE',
    message: say('learning.noTokens'),
    hint: say('learning.noTokens.hint'),
  });
}
