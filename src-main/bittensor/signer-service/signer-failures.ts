import { STATUS_CODES } from 'node:http';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Failure, FailureFormat } from '../../http/http-listener.ts';

/** Statuses that are not 500. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  CHAIN_REFUSED: 409,
  RATE_LIMIT: 429,
  CANCELLED: 503,
  CHAIN_UNREACHABLE: 503,
  DEADLINE: 503,
  NOT_RUNNING: 503,
};

/** Failures as the original tells them, `{ success: false, error }`, with the code by which Quarry knows them. @param failed hears of what nobody expected */
export function signerFailures(failed: (error: unknown) => void): FailureFormat {
  return {
    failure: (error) => failureOf(error, failed),
    unknownPath: (method, path) => Object.assign(new Error(`There is no ${method} ${path}.`), { statusCode: 404 }),
  };
}

function failureOf(error: unknown, failed: (error: unknown) => void): Failure {
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode < 500) return answer(statusCode, (error as Error).message, undefined);
  if (!(error instanceof QuarryError) || error.code === 'INTERNAL') {
    failed(error);
    return answer(500, 'This failed for a reason that only the log of the signer tells.', 'INTERNAL');
  }
  const { code, message, hint, retryAfterMs } = error;
  const told = answer(STATUS[code] ?? 500, hint ? `${message} ${hint}` : message, code);
  if (retryAfterMs !== undefined) told.headers = { ...told.headers, 'retry-after': Math.ceil(retryAfterMs / 1_000) };
  return told;
}

function answer(status: number, error: string, code: ErrorCode | undefined): Failure {
  const body = { success: false, error: error || STATUS_CODES[status], ...(code && { code }) };
  // The rest of a body that was refused is not waited for.
  return { status, body, headers: status === 401 || status === 413 ? { connection: 'close' } : {} };
}
