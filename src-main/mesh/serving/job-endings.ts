import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Job } from './job.ts';

/** A client may set any deadline; one shorter than this, in milliseconds, may not cost the worker points. */
const FAIR_DEADLINE_MS = 30_000;

/**
 * The reason under which a reservation is given back; the books count some as the worker's own failures. A deadline is one
 * only if it was fair and passed while the engine worked.
 */
export function releaseReason(job: Job, code: ErrorCode): ErrorCode {
  const fair = job.started && job.prompt.deadlineMs >= FAIR_DEADLINE_MS;
  return code === 'DEADLINE' && !fair ? 'OVERLOADED' : code;
}

export function idInUse(): QuarryError {
  return new QuarryError({
    code: 'BAD_REQUEST',
    message: 'A request with this id is being served.',
    field: 'requestId',
  });
}

export function cancelled(message: string): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message });
}

export function tooLate(deadlineMs: number): QuarryError {
  const message = `The request was not finished within its ${deadlineMs} ms.`;
  return new QuarryError({ code: 'DEADLINE', message, retryable: true });
}

export function stoppedMining(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: 'The worker has stopped mining.', retryable: true });
}

export function shuttingDown(): QuarryError {
  return new QuarryError({ code: 'NOT_RUNNING', message: 'The worker is shutting down.', retryable: true });
}
