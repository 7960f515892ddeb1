import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { GenerateRequest, ToolCall } from '../../../src-preload/contract/request.ts';
import type { TokenLogprobs } from '../../inference/backend.ts';
import { type ApiError, toApiError } from '../failures/api-error.ts';
import { askedTogether } from './choices.ts';
import type { EventStream, StreamEvent } from './event-stream.ts';
import type { Generator } from './generator.ts';

/** Part of an answer. */
export interface AnswerPart {
  text: string;
  logprobs?: TokenLogprobs[] | undefined;
  toolCalls?: ToolCall[];
}

/** An answer that has come to its end. */
export interface WholeAnswer {
  text: string;
  /** Default: none were asked for. */
  logprobs: TokenLogprobs[] | undefined;
  result: GenerateResult;
}

/** How an endpoint writes answers, of which a request may have several: each has its place, from 0. Made anew for each request. */
export interface AnswerFormat {
  /** All of them, in their order. */
  whole(answers: readonly WholeAnswer[]): object;
  /** The first events of an answer in a stream. */
  opening(place: number): StreamEvent[];
  part(part: AnswerPart, place: number): StreamEvent[];
  closing(result: GenerateResult, place: number): StreamEvent[];
  /** The last events of a stream in which all answers have come to their end. */
  end(results: readonly GenerateResult[]): StreamEvent[];
  /** The last events of one that breaks off. */
  failure(error: ApiError): StreamEvent[];
}

export interface Answer {
  generator: Generator;
  /** One for each answer. */
  requests: readonly GenerateRequest[];
  format: AnswerFormat;
  /** Id under which the answer may be kept; undefined where it may not. */
  keepAs?: string | undefined;
  /** Stands before what is generated. */
  echo: AnswerPart | undefined;
  signal: AbortSignal;
  onDone: (result: GenerateResult) => void;
}

/** Generates the whole answer. */
export async function answerAtOnce(answer: Answer): Promise<object> {
  const { requests, format, echo, onDone } = answer;
  const heard = requests.map((): TokenLogprobs[] => []);
  const whole: WholeAnswer[] = [];
  for await (const [place, event] of askedTogether(answer)) {
    if (event.type === 'chunk') heard[place]?.push(...(event.logprobs ?? []));
    else if (event.type === 'restart') heard[place] = [];
    else if (event.type === 'done') {
      const { result } = event;
      onDone(result);
      const wanted = requests[place]?.topLogprobs !== undefined;
      const logprobs = wanted ? [...(echo?.logprobs ?? []), ...(heard[place] ?? [])] : undefined;
      whole[place] = { text: (echo?.text ?? '') + result.text, logprobs, result };
    }
  }
  if (Object.keys(whole).length < requests.length) throw new Error('The answer ended without a result.');
  return format.whole(whole);
}

/**
 * Streams the answer. A failure before the first byte is thrown, and so gets a status of its own; a later one is the
 * stream's last event.
 */
export async function answerInPieces(answer: Answer, stream: EventStream): Promise<void> {
  try {
    await sendAll(answer, stream);
  } catch (error) {
    if (!stream.started) throw error;
    await stream.send(answer.format.failure(toApiError(endingError(error, answer.signal))));
    throw error;
  } finally {
    if (stream.started) stream.end();
  }
}

/** Programs that wait for the next piece give up after a minute or two, and comments are none to them. In milliseconds. */
const QUIET_MS = 10_000;

async function sendAll(answer: Answer, stream: EventStream): Promise<void> {
  const { format, echo, signal } = answer;
  const begun = new Set<number>();
  const results: GenerateResult[] = [];
  let spokeAt = performance.now();
  const begin = async (place: number) => {
    if (begun.has(place)) return;
    begun.add(place);
    await stream.send(format.opening(place));
    if (echo) await stream.send(format.part(echo, place));
  };
  for await (const [place, event] of askedTogether(answer)) {
    signal.throwIfAborted();
    if (event.type === 'queued') {
      await stream.comment(`queued position=${event.position} eta_ms=${Math.round(event.etaMs)}`);
    } else if (event.type === 'restart' && begun.has(place)) {
      throw workerLost(event.reason);
    } else if (event.type === 'chunk') {
      if (!saysSomething(event) && performance.now() - spokeAt < QUIET_MS) continue;
      await begin(place);
      await stream.send(format.part(event, place));
      spokeAt = performance.now();
    } else if (event.type === 'done') {
      await begin(place);
      answer.onDone(event.result);
      results[place] = event.result;
      await stream.send(format.closing(event.result, place));
    }
  }
  await stream.send(format.end(results));
}

/** Of a call to a tool nothing can be told before it is whole, and a character may take several tokens. */
function saysSomething({ text, toolCalls = [], logprobs = [] }: AnswerPart): boolean {
  return text !== '' || toolCalls.length > 0 || logprobs.length > 0;
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

/** What the answers to one prompt cost, as chats and completions have it. */
export function openAiUsage(results: readonly GenerateResult[]): object {
  const { prompt, cached, completion, total } = usageNumbers(results);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** Tokens of the answers to one prompt, which counts once. */
export function usageNumbers(results: readonly GenerateResult[]) {
  const { promptTokens: prompt = 0, cachedTokens: cached = 0 } = results[0] ?? {};
  const completion = results.reduce((sum, each) => sum + each.completionTokens, 0);
  return { prompt, cached, completion, total: prompt + completion };
}
