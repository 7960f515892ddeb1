import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../src-preload/contract/inference.ts';
import type { Answering, GenerateOptions } from '../../inference/backend.ts';

/** Tokens a second, of one request alone. */
export interface MeasuredSpeed {
  /** Reading a prompt. */
  prefill: number;
  /** Writing an answer. */
  decode: number;
}

export interface CalibrateOptions {
  signal?: AbortSignal;
  /** Milliseconds, monotonic. Default `performance.now`. */
  now?: () => number;
}

/** Milliseconds that each of the two runs may about take, and after which one is given up that has not got going. */
const RUN_MS = 2_000;
const GIVE_UP_MS = 5_000;
const MOST_ANSWER = 64;
/** Fewer tokens tell nothing of the speed. */
const LEAST_ANSWER = 8;
const MOST_PROMPT = 400;
const LEAST_PROMPT = 16;
/** The most, with a vocabulary of bytes. */
const TOKENS_PER_WORD = 2;
/** One that any model goes on with for a while. */
const COUNTING = { prompt: 'one two three four five six seven eight nine ten one two three four' };

/**
 * Measures how fast the loaded model answers: an answer of up to 64 tokens, cut off after about 2 seconds, then a prompt
 * that by then is known to take no longer. Either is given up after 5 seconds.
 * @returns undefined when others use the engine, before or between; or when it is too slow, or its answer too short, to tell
 * @throws CANCELLED when aborted; what the backend throws
 */
export async function calibrate(
  backend: Answering,
  { signal, now = () => performance.now() }: CalibrateOptions = {},
): Promise<MeasuredSpeed | undefined> {
  const options = { deadlineMs: GIVE_UP_MS, ...(signal && { signal }) };
  if (isBusy(backend)) return undefined;
  try {
    const decode = await measureDecode(backend, options, now);
    if (decode === undefined || isBusy(backend)) return undefined;
    const prefill = await measurePrefill(
      backend,
      options,
      promptLength(decode, backend.status().model?.contextSize ?? 0),
    );
    return prefill === undefined ? undefined : { prefill, decode };
  } catch (error) {
    if (QuarryError.from(error).code === 'DEADLINE') return undefined;
    throw error;
  }
}

function isBusy(backend: Answering): boolean {
  const { state, active, waiting } = backend.status();
  return state !== 'ready' || active + waiting > 0;
}

async function measureDecode(
  backend: Answering,
  options: GenerateOptions,
  now: () => number,
): Promise<number | undefined> {
  const request = { input: COUNTING, maxTokens: MOST_ANSWER, temperature: 0 };
  let firstAt: number | undefined;
  let elapsed = 0;
  let tokens = 0;
  for await (const event of backend.generate(request, options)) {
    if (event.type === 'done') break;
    // The time up to the first token went into reading the prompt.
    if (firstAt !== undefined) tokens += event.tokens;
    firstAt ??= now();
    elapsed = now() - firstAt;
    if (elapsed > RUN_MS && tokens >= LEAST_ANSWER) break;
  }
  return tokens >= LEAST_ANSWER && elapsed > 0 ? (tokens * 1_000) / elapsed : undefined;
}

/** Words of a prompt that surely takes no longer than an answer of as many tokens, and fits the context. */
function promptLength(decode: number, contextSize: number): number {
  const tokens = Math.floor((decode * RUN_MS) / 1_000);
  const most = Math.min(MOST_PROMPT, Math.floor(contextSize / TOKENS_PER_WORD) - LEAST_PROMPT);
  return Math.min(most, Math.max(LEAST_PROMPT, tokens));
}

async function measurePrefill(
  backend: Answering,
  options: GenerateOptions,
  tokens: number,
): Promise<number | undefined> {
  const request = { input: { prompt: ' a'.repeat(tokens) }, maxTokens: 1, temperature: 0 };
  for await (const event of backend.generate(request, options)) {
    if (event.type === 'done') return readingSpeed(event.result);
  }
  return undefined;
}

function readingSpeed({ promptTokens, cachedTokens, queuedMs, firstTokenMs }: GenerateResult): number | undefined {
  const seconds = (firstTokenMs - queuedMs) / 1_000;
  return seconds > 0 ? (promptTokens - cachedTokens) / seconds : undefined;
}
