import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { FinishReason, GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest, ToolCall } from '../../../src-preload/contract/request.ts';
import type { TokenLogprobs } from '../../inference/backend.ts';
import { toApiError } from '../failures/api-error.ts';
import type { EventStream } from './event-stream.ts';
import type { Generator } from './generator.ts';

/** Part of an answer. */
export interface AnswerPart {
  text: string;
  logprobs?: TokenLogprobs[];
  toolCalls?: ToolCall[];
}

/** How an endpoint writes answers. */
export interface AnswerFormat {
  whole(answer: AnswerPart, result: GenerateResult): object;
  /** The first event of a stream; undefined where there is none. */
  opening(): object | undefined;
  part(part: AnswerPart): object;
  closing(finish: FinishReason): object;
  /** The event that `stream_options.include_usage` asks for. */
  usage(result: GenerateResult): object;
}

export interface Answer {
  generator: Generator;
  request: GenerateRequest;
  format: AnswerFormat;
  /** Id under which the answer may be kept; undefined where it may not. */
  keepAs?: string | undefined;
  /** Stands before what is generated. */
  echo: AnswerPart | undefined;
  includeUsage: boolean;
  signal: AbortSignal;
  onDone: (result: GenerateResult) => void;
}

/** Generates the whole answer. */
export async function answerAtOnce(answer: Answer): Promise<object> {
  const { request, format, echo, onDone } = answer;
  let logprobs: TokenLogprobs[] = [];
  for await (const event of ask(answer)) {
    if (event.type === 'chunk') logprobs.push(...(event.logprobs ?? []));
    else if (event.type === 'restart') logprobs = [];
    else if (event.type === 'done') {
      onDone(event.result);
      const all = request.topLogprobs === undefined ? undefined : [...(echo?.logprobs ?? []), ...logprobs];
      return format.whole({ text: (echo?.text ?? '') + event.result.text, logprobs: all }, event.result);
    }
  }
  throw new Error('The answer ended without a result.');
}

/**
 * Streams the answer. A failure before the first byte is thrown, and so gets a status of its own; a later one is the
 * stream's last event.
 */
export async function answerInPieces(answer: Answer, stream: EventStream): Promise<void> {
  try {
    await sendAll(answer, stream);
    await stream.send('[DONE]');
  } catch (error) {
    if (!stream.started) throw error;
    await stream.send(toApiError(endingError(error, answer.signal)).toJSON());
    throw error;
  } finally {
    if (stream.started) stream.end();
  }
}

async function sendAll(answer: Answer, stream: EventStream): Promise<void> {
  const { format, echo, signal } = answer;
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    const opening = format.opening();
    if (opening) await stream.send(opening);
    if (echo) await stream.send(format.part(echo));
  };
  for await (const event of ask(answer)) {
    signal.throwIfAborted();
    if (event.type === 'queued') {
      await stream.comment(`queued position=${event.position} eta_ms=${Math.round(event.etaMs)}`);
    } else if (event.type === 'restart' && begun) {
      throw workerLost(event.reason);
    } else if (event.type === 'chunk') {
      await begin();
      await stream.send(format.part(event));
    } else if (event.type === 'done') {
      await begin();
      answer.onDone(event.result);
      await stream.send(format.closing(event.result.finish));
      if (answer.includeUsage) await stream.send(format.usage(event.result));
    }
  }
}

function ask({ generator, request, signal, keepAs }: Answer): ReturnType<Generator['generate']> {
  return generator.generate(request, { signal, ...(keepAs !== undefined && { keepAs }) });
}

/** Why a request failed: whoever aborted it knows better than the generator that was told to stop. */
export function endingError(error: unknown, signal: AbortSignal): unknown {
  return signal.reason instanceof QuarryError ? signal.reason : error;
}

/** The OpenAI API has no way to take back what was already streamed. */
function workerLost(reason: string): QuarryError {
  const message = `The worker failed in the middle of the answer: ${reason}`;
  return new QuarryError({ code: 'WORKER_LOST', message, hint: 'Send the request again.', retryable: true });
}

/** What an answer cost, as OpenAI writes it. */
export function openAiUsage({ promptTokens, completionTokens, cachedTokens }: GenerateResult): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
