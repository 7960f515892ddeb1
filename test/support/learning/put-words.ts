import type { LocalBackend } from '../../../src-main/inference/host/local-backend.ts';
import type { ChatMessage, GenerateInput } from '../../../src-preload/contract/request.ts';

export interface AskedOf {
  /** What the user said last. */
  question: string;
  /** Whether the model has the feedback before its eyes. */
  inHindsight: boolean;
  /** Path of the adapter that it answers with. */
  adapter: string | undefined;
  /** 0 for a greedy answer. */
  seed: number;
}

/**
 * Puts words into the mouth of a real engine whose model is too small to do what it is told: the text is scripted; its tokens, their log-probabilities, and
 * all else that is asked of the engine are its own, adapters included.
 */
export function putWords(engine: LocalBackend, answer: (asked: AskedOf) => string): LocalBackend {
  engine.generate = async function* ({ input, topLogprobs, temperature = 0, seed = 0 }, { adapter, signal } = {}) {
    const question = lastOf(input);
    const inHindsight = isTold(input);
    const text = answer({ question, inHindsight, adapter, seed: temperature === 0 ? 0 : seed });
    const own = { ...(adapter && { adapter }), ...(signal && { signal }) };
    const { tokens } = await engine.score({ input, continuation: text, topK: topLogprobs ?? 0 }, own);
    yield { type: 'chunk', text, tokens: tokens.length, ...(topLogprobs !== undefined && { logprobs: tokens }) };
    const completionTokens = tokens.length + 1;
    const counts = { promptTokens: (await engine.tokenize(input)).length, cachedTokens: 0, completionTokens };
    const times = { queuedMs: 0, firstTokenMs: 1, totalMs: 2, tokensPerSecond: 1_000 };
    const ids = tokens.map(({ id }) => id ?? 0);
    const end = engine.status().model?.endToken ?? 0;
    yield { type: 'done', result: { text, finish: 'stop', ...counts, ...times }, tokenIds: [...ids, end] };
  };
  return engine;
}

/** In a block, in brackets behind the question, in the system's message, or agreed upon before it: see `waysToTell`. */
function isTold(input: GenerateInput): boolean {
  const messages: readonly ChatMessage[] = 'messages' in input ? input.messages : [];
  return messages.some(({ content }) => /HINDSIGHT|\n\n\(|The user has told you|I will keep to that/.test(content));
}

function lastOf(input: GenerateInput): string {
  const messages: readonly ChatMessage[] = 'messages' in input ? input.messages : [];
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
