import type { AnswerOptions, Asked, AskedAnswer, AskOptions } from '../../../src-main/learning/asked.ts';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';

/** The token that ends a turn. */
export const END = 0;

/** A model whose tokens are characters, and whose answers are scripted. */
export class ScriptedAsked implements Asked {
  /** What it was asked: all of it, the last message of the user, and with which adapter. */
  readonly asked: {
    messages: readonly ChatMessage[];
    last: string;
    adapter: string | undefined;
    temperature: number;
    seed: number;
  }[] = [];
  readonly #say: (last: string, options: AnswerOptions) => string | undefined;

  /** @param say what it answers; undefined: more than fits */
  constructor(say: (last: string, options: AnswerOptions) => string | undefined) {
    this.#say = say;
  }

  async answer(messages: readonly ChatMessage[], options: AnswerOptions): Promise<AskedAnswer> {
    options.signal?.throwIfAborted();
    const last = messages.at(-1)?.content ?? '';
    const { adapter, temperature = 0, seed = 0 } = options;
    this.asked.push({ messages, last, adapter, temperature, seed });
    const said = this.#say(last, options);
    const text = said ?? 'and so on';
    const tokens = [...characters(text), ...(said === undefined ? [] : [END])];
    return { text, finish: said === undefined ? 'length' : 'stop', tokens };
  }

  async score(
    messages: readonly ChatMessage[],
    continuation: string | readonly number[],
    { adapter }: AskOptions = {},
  ) {
    const tokens = typeof continuation === 'string' ? characters(continuation) : [...continuation];
    const hindsight = messages.at(-1)?.content.includes('HINDSIGHT') ?? false;
    return {
      tokens,
      logprobs: tokens.map(() => (hindsight ? -0.5 : adapter ? -1 : -2)),
      top: tokens.map((token) => ({ tokens: [token, 1], logprobs: [-0.5, -3] })),
    };
  }

  async answerTokens(_messages: readonly ChatMessage[], text: string): Promise<number[]> {
    return [...characters(text), END];
  }

  async tokens(messages: readonly ChatMessage[]): Promise<number[]> {
    return characters(messages.map(({ content }) => content).join('\n'));
  }
}

export function characters(text: string): number[] {
  return [...text].map((each) => each.codePointAt(0) ?? 0);
}
