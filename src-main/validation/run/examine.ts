import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import type { Challenge } from '../challenge.ts';
import type { Judgement, Judging } from '../environment.ts';
import { type Miner, NotReached } from './miner.ts';

/** How a miner is asked. */
export interface Patience {
  /** Tokens of an answer, at most. */
  maxTokens: number;
  /** Milliseconds for one try. */
  timeoutMs: number;
  /** Further tries after one that failed for a reason that may pass. */
  retries: number;
}

/** What a miner said to a challenge, or why no answer came: {@link NotReached} where no try reached it. */
type Said = ({ answer: string; error: null } | { answer: null; error: QuarryError }) & {
  /** From being asked to the end of the answer, of the last try, by this node’s clock. */
  latencyMs: number;
  /** To the first byte of the answer, by the same clock; undefined where none came. */
  firstByteMs?: number | undefined;
};
export type Answered = Said & { attempts: number };

/** What came of one challenge: without an answer nothing, and no reason for it. */
export type Examined = Answered & Omit<Judgement, 'reason'> & { reason: Saying | null };

/** For how long a miner wants to be left alone, whichever of its questions it said that to. */
export interface Rest {
  wants(ms: number): void;
  /** Milliseconds of it that are left. */
  leftMs(): number;
}

const NO_REST: Rest = { wants: () => {}, leftMs: () => 0 };

export interface AskOptions {
  signal: AbortSignal;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Default: it wants none. */
  rest?: Rest;
  /** Default: that of Node. */
  wait?: typeof pause;
}

/**
 * After the first try that failed (Affine, `query`); each miner has a little more or less, so that they do not come all at once. Who wants more time than
 * the longest is not asked the same again: the question would keep its place for what may be nothing.
 */
const RETRY = { firstMs: 1_000, longestMs: 30_000 };
const JITTER = 0.1;

/**
 * Asks a miner one challenge, and again where that may help. Where one try reached it, that counts, whatever kept the others from it.
 * @param signal ends it @throws the signal’s reason
 */
export async function ask(
  challenge: Challenge,
  miner: Miner,
  patience: Patience,
  { signal, random, rest = NO_REST, wait = pause }: AskOptions,
): Promise<Answered> {
  let reached: QuarryError | undefined;
  for (let attempts = 1; ; attempts++) {
    const asked = await askOnce(challenge, miner, patience, signal);
    if (asked.answer !== null) return { ...asked, attempts };
    signal.throwIfAborted();
    const { error } = asked;
    if (!(error instanceof NotReached)) reached = error;
    if (error.retryAfterMs !== undefined) rest.wants(error.retryAfterMs);
    const backOff = Math.min(backOffMs(attempts, RETRY) * (1 - JITTER + 2 * JITTER * random()), RETRY.longestMs);
    const again = Math.max(error.retryAfterMs ?? backOff, rest.leftMs());
    if (!error.retryable || attempts > patience.retries || again > RETRY.longestMs)
      return { ...asked, error: reached ?? error, attempts };
    await wait(again, undefined, { signal });
  }
}

/** What an answer is worth. @throws what keeps it from being judged, which is no fault of the miner’s; the signal’s reason */
export async function judge(challenge: Challenge, answered: Answered, judging: Judging): Promise<Examined> {
  if (answered.answer === null) return { ...answered, score: 0, reason: null };
  const { answer, latencyMs } = answered;
  return { ...answered, ...(await challenge.judge(answer, { ...judging, latencyMs })) };
}

async function askOnce(
  { id, prompt, ask: way }: Challenge,
  miner: Miner,
  patience: Patience,
  signal: AbortSignal,
): Promise<Said> {
  const { maxTokens, timeoutMs } = patience;
  const begun = performance.now();
  const latency = () => Math.round(performance.now() - begun);
  let firstByteMs: number | undefined;
  const onFirstByte = () => {
    firstByteMs = latency();
  };
  try {
    const answer = await miner.ask({
      ...{ id, prompt, ask: way },
      ...{ maxTokens, timeoutMs, signal, onFirstByte },
    });
    return { answer, error: null, latencyMs: latency(), firstByteMs };
  } catch (error) {
    return { answer: null, error: QuarryError.from(error), latencyMs: latency() };
  }
}
