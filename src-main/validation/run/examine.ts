import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Saying } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import type { Challenge } from '../challenge.ts';
import type { Miner } from './miner.ts';

/** How a miner is asked. */
export interface Patience {
  /** Tokens of an answer, at most. */
  maxTokens: number;
  /** Milliseconds for one try. */
  timeoutMs: number;
  /** Further tries after one that failed for a reason that may pass. */
  retries: number;
}

/** What came of one challenge. */
export interface Examined {
  /** Null where none came. */
  answer: string | null;
  score: number;
  /** Why it scores so. */
  reason: Saying | null;
  /** Why no answer came. */
  error: QuarryError | null;
  attempts: number;
  /** From being asked to the end of the answer, of the last try, by this node’s clock. */
  latencyMs: number;
}

export interface ExamineOptions {
  signal: AbortSignal;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Default: that of Node. */
  wait?: typeof pause;
}

/** After the first try that failed (Affine, `query`); each miner has a little more or less, so that they do not come all at once. */
const RETRY = { firstMs: 1_000, longestMs: 30_000 };
const JITTER = 0.1;

/**
 * Asks a miner one challenge, and judges what it says.
 * @param signal ends it @throws the signal’s reason; what keeps the answer from being judged, which is no fault of the miner’s
 */
export async function examine(
  challenge: Challenge,
  miner: Miner,
  patience: Patience,
  { signal, random, wait = pause }: ExamineOptions,
): Promise<Examined> {
  for (let attempts = 1; ; attempts++) {
    const asked = await askOnce(challenge, miner, patience, signal);
    if (typeof asked.answer === 'string') {
      const judged = await challenge.judge(asked.answer, signal);
      return { ...asked, ...judged, error: null, attempts };
    }
    signal.throwIfAborted();
    const { error } = asked;
    if (!error.retryable || attempts > patience.retries) return { ...asked, score: 0, reason: null, attempts };
    const again = error.retryAfterMs ?? backOffMs(attempts, RETRY) * (1 - JITTER + 2 * JITTER * random());
    await wait(Math.min(again, RETRY.longestMs), undefined, { signal });
  }
}

type Asked = { latencyMs: number } & ({ answer: string } | { answer: null; error: QuarryError });

async function askOnce({ prompt }: Challenge, miner: Miner, patience: Patience, signal: AbortSignal): Promise<Asked> {
  const { maxTokens, timeoutMs } = patience;
  const begun = performance.now();
  const latency = () => Math.round(performance.now() - begun);
  try {
    const answer = await miner.ask({ prompt, maxTokens, timeoutMs, signal });
    return { answer, latencyMs: latency() };
  } catch (error) {
    return { answer: null, error: QuarryError.from(error), latencyMs: latency() };
  }
}
