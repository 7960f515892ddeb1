import type { ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';

/** What a failure says about the worker: it is broken, it has no room for a while, or nothing. */
export type FailureEffect = { kind: 'fault' } | { kind: 'busy'; forMs: number } | { kind: 'none' };

/** The answer is no longer wanted. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'DEADLINE']);

/** The worker says that the request is at fault. It may be so, or so for this worker, or a lie: others are asked. */
const BLAMES_REQUEST: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'CONTEXT_TOO_LONG', 'MODEL_NOT_FOUND']);

/** The worker works, but not for this request now. */
const BUSY: ReadonlySet<ErrorCode> = new Set(['NO_CREDIT', 'NOT_RUNNING', 'OVERLOADED', 'QUEUE_FULL', 'RATE_LIMIT']);

const DEFAULT_BUSY_MS = 2_000;

/** Whether it is no use to ask another worker. */
export function isFinal({ code }: QuarryError): boolean {
  return FINAL.has(code);
}

export function afterFailure({ code, retryAfterMs }: QuarryError): FailureEffect {
  if (FINAL.has(code) || BLAMES_REQUEST.has(code)) return { kind: 'none' };
  return BUSY.has(code) ? { kind: 'busy', forMs: retryAfterMs ?? DEFAULT_BUSY_MS } : { kind: 'fault' };
}
