import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import { MAX_ARGUMENTS_CHARS, MAX_TOOL_CALLS } from '../../../src-preload/contract/limits.ts';
import type { ChatMessage, GenerateRequest, ToolCall } from '../../../src-preload/contract/request.ts';
import type { GenerateEvent } from '../backend.ts';
import { offeredTools } from '../tools/answer-calls.ts';
import type { ReadPiece } from '../tools/call-reader.ts';
import { callsIn, callText } from '../tools/call-text.ts';
import { openAiCall, openAiTool } from '../tools/openai-form.ts';
import type { AnswerChunk, CallPiece, Usage } from './openai-shapes.ts';

/** OpenAI's limits; its own servers refuse more. */
const MAX_CHAT_TOP_LOGPROBS = 20;

const NO_CALLS: ReadPiece = { text: '', calls: [] };

/** Path and body of the streaming call that answers the request. */
export function generateCall(model: string, request: GenerateRequest): { path: string; body: object } {
  const common = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxTokens ?? DEFAULTS.maxTokens,
    temperature: request.temperature ?? DEFAULTS.temperature,
    top_p: request.topP ?? DEFAULTS.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    logit_bias: request.logitBias,
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
  const messages = request.input.messages.map(openAiMessage);
  return { path: 'chat/completions', body: { ...common, messages, ...toolsOf(request), ...logprobs } };
}

function openAiMessage({ role, content, toolCalls, toolCallId }: ChatMessage): object {
  if (role === 'tool') return { role, content, tool_call_id: toolCallId };
  return { role, content, ...(toolCalls && { tool_calls: toolCalls.map(openAiCall) }) };
}

function toolsOf(request: GenerateRequest): object {
  const tools = offeredTools(request);
  if (tools.length === 0) return {};
  const { toolChoice } = request;
  const tool_choice = typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice;
  return { tools: tools.map(openAiTool), tool_choice };
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
  readonly #names: ReadonlySet<string>;
  /** Calls of tools as far as they have come, by their places. */
  readonly #pieces = new Map<number, { name: string; args: string }>();
  #calls: ToolCall[] = [];

  /** @param request whose tools the server may want called */
  constructor(now: () => number, request: Pick<GenerateRequest, 'tools' | 'toolChoice'>) {
    this.#now = now;
    this.#start = now();
    this.#names = new Set(offeredTools(request).map(({ name }) => name));
  }

  /** False while the server has not said how the answer ended. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** The event to pass on; undefined when the chunk holds nothing that a caller wants. */
  add({ text: said, logprobs, calls, finish, usage }: AnswerChunk): GenerateEvent | undefined {
    this.#finish = finish ?? this.#finish;
    this.#usage = usage ?? this.#usage;
    for (const piece of calls) this.#join(piece);
    const called = finish ? this.#wholeCalls() : NO_CALLS;
    const text = said + called.text;
    if (!text && !logprobs?.length && called.calls.length === 0) return undefined;
    const tokens = logprobs?.length || 1;
    this.#last = this.#now();
    this.#first ??= this.#last;
    this.#tokens += tokens;
    this.#text += text;
    this.#calls.push(...called.calls);
    return { type: 'chunk', text, tokens, logprobs, ...(called.calls.length > 0 && { toolCalls: called.calls }) };
  }

  #join({ index, name, args }: CallPiece): void {
    const before = this.#pieces.get(index);
    if (!before && this.#pieces.size >= MAX_TOOL_CALLS) return;
    const joined = { name: before?.name || name, args: (before?.args ?? '') + args };
    if (joined.args.length <= MAX_ARGUMENTS_CHARS) this.#pieces.set(index, joined);
  }

  /** What the server wants called; text where nobody offered that, or its arguments are no object. */
  #wholeCalls(): ReadPiece {
    const whole: ReadPiece = { text: '', calls: [] };
    for (const { name, args } of this.#pieces.values()) {
      const calls = callsIn(args || '{}', this.#names, name);
      if (calls) whole.calls.push(...calls);
      else whole.text += callText({ name, arguments: args });
    }
    this.#pieces.clear();
    return whole;
  }

  /** @param promptTokens what to report when the server counts none */
  result(promptTokens: number): GenerateResult {
    const end = this.#now();
    const first = this.#first ?? end;
    const completionTokens = this.#usage?.completion_tokens || this.#tokens;
    const decodingMs = this.#last - first;
    return {
      text: this.#text,
      ...(this.#calls.length > 0
        ? { finish: 'tool_calls', toolCalls: this.#calls }
        : { finish: this.#finish ?? 'stop' }),
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
