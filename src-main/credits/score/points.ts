import type { ReceiptBody } from '../receipt.ts';

/** What a request is judged by: three figures of its receipt. */
export type Judged = Pick<ReceiptBody, 'processingMs' | 'promptChars' | 'resultChars'>;

/** Below so many milliseconds, so many points (QMesh, §Score). */
const SPEED_STEPS = [
  { belowMs: 500, points: 5 },
  { belowMs: 1_000, points: 4 },
  { belowMs: 2_000, points: 3 },
  { belowMs: 3_000, points: 2 },
  { belowMs: 5_000, points: 1 },
] as const;

const CHARS_PER_COMPLEXITY_POINT = 50;
const MAX_COMPLEXITY = 3;
/** An answer longer than this earns the second quality point. */
const FULL_ANSWER_CHARS = 100;

/** A failure that is the worker's own costs one point of its total, never below 0. */
export const FAILURE_PENALTY = 1;

/** 0–5, by the time that the worker spent on the request. */
export function speedPoints(processingMs: number): number {
  return SPEED_STEPS.find(({ belowMs }) => processingMs < belowMs)?.points ?? 0;
}

/** 0–3, one for every 50 characters of the prompt. */
export function complexityPoints(promptChars: number): number {
  return Math.min(MAX_COMPLEXITY, Math.floor(promptChars / CHARS_PER_COMPLEXITY_POINT));
}

/** 1 for a success, 2 when the answer is longer than 100 characters. */
export function qualityPoints(resultChars: number): number {
  return resultChars > FULL_ANSWER_CHARS ? 2 : 1;
}

/** 0–10 points for a request that was served (QMesh, §Score). A failure has no receipt and earns nothing. */
export function pointsFor({ processingMs, promptChars, resultChars }: Judged): number {
  return speedPoints(processingMs) + complexityPoints(promptChars) + qualityPoints(resultChars);
}
