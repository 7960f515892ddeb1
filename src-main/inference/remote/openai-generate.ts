import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import type { GenerateEvent } from '../backend.ts';
import type { AnswerChunk, Usage } from './openai-shapes.ts';

/** OpenAI's limits; its own servers refuse more. */
const MAX_CHAT_TOP_LOGPROBS = 20;

/** Path and body of the streaming call that answers the request. */
export function generateCall(model: string, request: GenerateRequest): { path: string; body: object } {
  const common = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxTokens ?? DEFAULTS.maxTokens,
    temperature: request.temperature ?? DEFAULTS.temperature,
    top_p: request.topP ?? DEFAULTS.topP,
    seed: request.seed,
    stop: request.stop?.length ? request.stop : undefined,
    ...beyondOpenAi(request),
    ...answerFormat(request),
  };
  const top = request.topLogprobs;
  if ('prompt' in request.input) {
    return { path: 'completions', body: { ...common, prompt: request.input.prompt, logprobs: top } };
  }
  const logprobs = top === undefined ? {} : { logprobs: true, top_logprobs: Math.min(top, MAX_CHAT_TOP_LOGPROBS) };
  return { path: 'chat/completions', body: { ...common, messages: request.input.messages, ...logprobs } };
}

/** Sampling that OpenAI itself has not (and would refuse): sent only if asked for, under the names of vLLM and llama-server. */
function beyondOpenAi({ topK, repeatPenalty }: GenerateRequest): object {
  return { top_k: topK, repetition_penalty: repeatPenalty, repeat_penalty: repeatPenalty };
}

function answerFormat({ jsonSchema, input }: GenerateRequest): object {
  if (!jsonSchema) return {};
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: jsonSchema } };
  // llama-server's /completions knows its own name only.
  return 'prompt' in input ? { response_format, json_schema: jsonSchema } : { response_format };
}

/** Adds up what a stream says. Times are milliseconds of `now`. */
export class AnswerTally {
  readonly #now: () => number;
  readonly #start: number;
  #first: number | undefined;
  #last = 0;
  #tokens = 0;
  #text = '';
  #finish: GenerateResult['finish'] | undefined;
  #usage: Usage | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#start = now();
  }

  /** False while the server has not said how the answer ended. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** The event to pass on; undefined when the chunk holds nothing that a caller wants. */
  add({ text, logprobs, finish, usage }: AnswerChunk): GenerateEvent | undefined {
    this.#finish = finish ?? this.#finish;
    this.#usage = usage ?? this.#usage;
    if (!text && !logprobs?.length) return undefined;
    const tokens = logprobs?.length || 1;
    this.#last = this.#now();
    this.#first ??= this.#last;
    this.#tokens += tokens;
    this.#text += text;
    return { type: 'chunk', text, tokens, logprobs };
  }

  /** @param promptTokens what to report when the server counts none */
  result(promptTokens: number): GenerateResult {
    const end = this.#now();
    const first = this.#first ?? end;
    const completionTokens = this.#usage?.completion_tokens || this.#tokens;
    const decodingMs = this.#last - first;
    return {
      text: this.#text,
      finish: this.#finish ?? 'stop',
      promptTokens: this.#usage?.prompt_tokens ?? promptTokens,
      cachedTokens: this.#usage?.prompt_tokens_details?.cached_tokens ?? 0,
      completionTokens,
      // How long the server let the request wait is not known.
      queuedMs: 0,
      firstTokenMs: first - this.#start,
      totalMs: end - this.#start,
      tokensPerSecond: completionTokens > 1 && decodingMs > 0 ? ((completionTokens - 1) / decodingMs) * 1000 : 0,
    };
  }
}
