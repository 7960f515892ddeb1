import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { errorSchema } from '../../src-preload/contract/error-schema.ts';
import { type ErrorCode, QuarryError, type QuarryErrorData } from '../../src-preload/contract/errors.ts';

/** What fetch says of a node that is not there, and of one that ends amid its answer. */
const CUT_OFF = ['fetch failed', 'terminated'];

/**
 * What went wrong with a call, as Quarry names it. The contract carries Quarry's errors as data: this gives them their type back.
 * @param signal of the call: once it has aborted, whatever the call ended with is because of that
 */
export function namedError(error: unknown, signal?: AbortSignal): QuarryError {
  if (error instanceof QuarryError) return error; // a cancelled one says what was not done
  if (error instanceof ORPCError && carriesCode(error.data)) return carried(error.data, error);
  // A body that was given up by us: whoever read it says only that it could not be read.
  if (error instanceof Error && error.cause instanceof QuarryError) return error.cause;
  const cause = signal?.aborted ? signal.reason : error;
  if (cause instanceof QuarryError) return cause;
  if (nameOf(cause) === 'TimeoutError') return tooLate(cause);
  if (signal?.aborted || nameOf(cause) === 'AbortError') return cancelled(cause);
  if (error instanceof TypeError && CUT_OFF.includes(error.message)) return silent(error);
  return error instanceof ORPCError ? refused(error) : QuarryError.from(error);
}

/** What the contract carries of an error: `error.toJSON()` of the node's own. */
const carriedSchema = errorSchema.extend({
  message: z.string().min(1),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().min(0).optional(),
  field: z.string().optional(),
});

interface Coded {
  code: string;
  message?: unknown;
}

function carriesCode(data: unknown): data is Coded {
  return typeof (data as Partial<Coded> | undefined | null)?.code === 'string';
}

/** One by a name that is not ours comes from a node of another version, or from something else. */
function carried(data: Coded, cause: unknown): QuarryError {
  const known = carriedSchema.safeParse(data);
  if (known.success) return new QuarryError(known.data as QuarryErrorData, { cause });
  const told = typeof data.message === 'string' ? data.message : '';
  const message = `The node answered with an error that this version does not know: «${`${data.code} ${told}`.trim().slice(0, 300)}».`;
  const hint = 'Is a node of Quarry there, and of the same version?';
  return new QuarryError({ code: 'UNSUPPORTED', message, hint }, { cause });
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
