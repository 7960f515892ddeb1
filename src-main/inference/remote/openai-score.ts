import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { ChatMessage } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { ScoreRequest, ScoreResult, TokenLogprobs } from '../backend.ts';
import { byLogprob, type ListLogprobs, listedToken, type PromptLogprobs, toProbability } from './openai-shapes.ts';

/**
 * Log-probabilities of a given text from an OpenAI-compatible server. The API has no call for it, two servers have a way:
 * - raw prompts: /completions with `echo` and `logprobs` (vLLM and others that kept OpenAI's older behaviour);
 * - conversations: vLLM's `prompt_logprobs` on /chat/completions.
 */

const CANNOT = {
  code: 'BAD_REQUEST',
  message: say('remote.noScores'),
  hint: say('remote.scoreLocally'),
} as const;

/** A request whose continuation is a text. */
export type TextScore = ScoreRequest & { continuation: string };

export function onlyTexts(): QuarryError {
  const field = 'continuation';
  const message = say('engine.badField', { field, why: say('remote.onlyTexts') });
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: CANNOT.hint, field });
}

export function cannotScore(cause?: unknown): QuarryError {
  return new QuarryError(CANNOT, { cause });
}

/** Body for /completions: says the prompt again, generates next to nothing. */
export function echoBody(model: string, prompt: string, { continuation, topK = 0 }: TextScore): object {
  // vLLM and OpenAI take 0 here, others want at least 1; the generated token lies behind the text and is dropped.
  return { model, prompt: prompt + continuation, max_tokens: 1, temperature: 0, echo: true, logprobs: topK };
}

/** Body for vLLM's /chat/completions: the continuation is an answer begun, and every token of the prompt is scored. */
export function promptLogprobsBody(model: string, messages: ChatMessage[], request: TextScore): object {
  return {
    model,
    messages: [...messages, { role: 'assistant', content: request.continuation }],
    add_generation_prompt: false,
    continue_final_message: true,
    prompt_logprobs: request.topK ?? 0,
    return_token_ids: true,
    max_tokens: 1,
    temperature: 0,
  };
}

/**
 * The tokens that reach into the continuation. One that straddles the border counts: it is how the model reads the text.
 * @throws QuarryError BAD_REQUEST when the server did not echo
 */
export function scoreFromEcho(list: ListLogprobs, prompt: string, continuation: string): ScoreResult {
  const begin = Buffer.byteLength(prompt);
  const end = begin + Buffer.byteLength(continuation);
  let offset = 0;
  const tokens: TokenLogprobs[] = [];
  for (const [at, text] of list.tokens.entries()) {
    const token = listedToken(list, text, at);
    const start = offset;
    offset += token.bytes.length;
    if (offset > begin && start < end) tokens.push(token);
  }
  if (offset < end) throw cannotScore();
  return total(tokens);
}

/** The prompt's last tokens, as many as make up the continuation. */
export function scoreFromPrompt(answer: PromptLogprobs, request: TextScore): ScoreResult {
  const { prompt_logprobs: places, prompt_token_ids: ids } = answer;
  const tokens: TokenLogprobs[] = [];
  let missing = Buffer.byteLength(request.continuation);
  for (let at = places.length - 1; at >= 0 && missing > 0; at--) {
    const token = tokenAt(places[at] ?? {}, ids?.[at], request.topK ?? 0);
    tokens.unshift(token);
    missing -= token.bytes.length;
  }
  if (missing > 0) throw cannotScore();
  return total(tokens);
}

function tokenAt(place: NonNullable<PromptLogprobs['prompt_logprobs'][number]>, id: number | undefined, topK: number) {
  const entries = Object.values(place);
  // Without token ids the chosen one is known only where it is the only one: JSON objects do not keep their order.
  const chosen = id === undefined ? (entries.length === 1 ? entries[0] : undefined) : place[id];
  if (!chosen?.decoded_token) throw cannotScore();
  const named = entries.map((entry) => toProbability({ token: entry.decoded_token ?? '', logprob: entry.logprob }));
  const top = named.sort(byLogprob).slice(0, topK);
  return { ...toProbability({ token: chosen.decoded_token, logprob: chosen.logprob }), top };
}

function total(tokens: TokenLogprobs[]): ScoreResult {
  return { tokens, totalLogprob: tokens.reduce((sum, { logprob }) => sum + logprob, 0) };
}
