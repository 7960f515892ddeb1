import { ORPCError } from '@orpc/client';
import { type ErrorCode, QuarryError, type QuarryErrorData } from '../../src-preload/contract/errors.ts';

/** What fetch says of a node that is not there, and of one that ends amid its answer. */
const CUT_OFF = ['fetch failed', 'terminated'];

/**
 * What went wrong with a call, as Quarry names it. The contract carries Quarry's errors as data: this gives them their type back.
 * @param signal of the call: once it has aborted, whatever the call ended with is because of that
 */
export function namedError(error: unknown, signal?: AbortSignal): QuarryError {
  if (error instanceof QuarryError) return error; // a cancelled one says what was not done
  if (error instanceof ORPCError && typeof (error.data as QuarryErrorData | undefined)?.code === 'string') {
    return new QuarryError(error.data as QuarryErrorData, { cause: error });
  }
  const cause = signal?.aborted ? signal.reason : error;
  if (cause instanceof QuarryError) return cause;
  if (nameOf(cause) === 'TimeoutError') return tooLate(cause);
  if (signal?.aborted || nameOf(cause) === 'AbortError') return cancelled(cause);
  if (error instanceof TypeError && CUT_OFF.includes(error.message)) return silent(error);
  return error instanceof ORPCError ? refused(error) : QuarryError.from(error);
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : undefined);

function cancelled(cause: unknown): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: 'Interrupted.' }, { cause });
}

function tooLate(cause: unknown): QuarryError {
  const message = 'The node did not answer in time.';
  return new QuarryError({ code: 'DEADLINE', message, retryable: true }, { cause });
}

function silent(cause: TypeError): QuarryError {
  const message = 'The node does not answer any more.';
  const hint = 'See whether it runs: quarry ps. What it last wrote down: quarry logs.';
  return new QuarryError({ code: 'NOT_RUNNING', message, hint, retryable: true }, { cause });
}

/** What the server says before the contract has its turn, by its status. */
const REFUSALS: Record<number, { code: ErrorCode; message: string; hint?: string; retryable?: boolean }> = {
  401: {
    code: 'UNAUTHORIZED',
    message: 'The node does not know this token.',
    hint: 'It takes its API token (the setting apiToken), and that of local.token in its data folder.',
  },
  403: { code: 'UNAUTHORIZED', message: 'The node takes no calls to this address.' },
  404: {
    code: 'UNSUPPORTED',
    message: 'There is no such call at this address.',
    hint: 'Is a node of Quarry there, and of the same version?',
  },
  429: {
    code: 'RATE_LIMIT',
    message: 'Too many wrong tokens came from here.',
    hint: 'Wait a while.',
    retryable: true,
  },
};

function refused(error: ORPCError<string, unknown>): QuarryError {
  const { status, message } = error;
  return new QuarryError(REFUSALS[status] ?? { code: 'INTERNAL', message }, { cause: error });
}
