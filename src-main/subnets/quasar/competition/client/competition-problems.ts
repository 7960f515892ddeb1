import type { z } from 'zod';
import { type ErrorCode, QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../../base/foreign-text.ts';
import { LONGEST_WAIT_MS } from '../../../../bittensor/signed-requests/told-refusal.ts';
import type { CompetitionErrorCode, errorSchema } from '../wire.ts';

type SaidKey = `competitor.said.${CompetitionErrorCode}`;

/** How each is called in Quarry, how it is said, and whether the same request may succeed later. */
const NAMED: Record<CompetitionErrorCode, { code: ErrorCode; key: SaidKey; retryable?: true }> = {
  BAD_REQUEST: { code: 'BAD_REQUEST', key: 'competitor.said.BAD_REQUEST' },
  MISMATCH: { code: 'BAD_REQUEST', key: 'competitor.said.MISMATCH' },
  UNAUTHORIZED: { code: 'UNAUTHORIZED', key: 'competitor.said.UNAUTHORIZED' },
  FORBIDDEN: { code: 'UNAUTHORIZED', key: 'competitor.said.FORBIDDEN' },
  BANNED: { code: 'BANNED', key: 'competitor.said.BANNED' },
  NOT_FOUND: { code: 'BAD_REQUEST', key: 'competitor.said.NOT_FOUND' },
  CONFLICT: { code: 'BAD_REQUEST', key: 'competitor.said.CONFLICT' },
  TOO_LARGE: { code: 'BAD_REQUEST', key: 'competitor.said.TOO_LARGE' },
  TOO_EARLY: { code: 'OVERLOADED', key: 'competitor.said.TOO_EARLY', retryable: true },
  RATE_LIMIT: { code: 'RATE_LIMIT', key: 'competitor.said.RATE_LIMIT', retryable: true },
  FULL: { code: 'RATE_LIMIT', key: 'competitor.said.FULL' },
  UNAVAILABLE: { code: 'OVERLOADED', key: 'competitor.said.UNAVAILABLE', retryable: true },
  INTERNAL: { code: 'PROTOCOL', key: 'competitor.said.INTERNAL', retryable: true },
};

/** Of a server’s own words. */
const MOST_CHARS = 400;

type ErrorBody = z.infer<typeof errorSchema>['error'];

/** What a competition’s server answered instead of what was asked for. */
export class CompetitionRefusal extends QuarryError {
  readonly refusal: CompetitionErrorCode;

  constructor({ code, message, field, retryAfter }: ErrorBody, hint?: Saying) {
    const wait = retryAfter === undefined ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(0, retryAfter));
    const { key, ...named } = NAMED[code];
    super({
      ...named,
      message: say(key, { reason: foreignLine(message).slice(0, MOST_CHARS) }),
      ...(hint && { hint }),
      ...(wait !== undefined && { retryAfterMs: wait }),
      ...(field !== undefined && { field: foreignLine(field).slice(0, MOST_CHARS) }),
    });
    this.refusal = code;
  }
}

/** Whether a server said just this. */
export const isRefusal = (error: unknown, ...codes: CompetitionErrorCode[]): boolean =>
  error instanceof CompetitionRefusal && codes.includes(error.refusal);

/** @param host of the server */
export const unreachable = (host: string, cause?: unknown): QuarryError =>
  new QuarryError(
    {
      code: 'DEADLINE',
      message: say('competitor.unreachable', { host }),
      hint: say('competitor.later'),
      retryable: true,
    },
    { cause },
  );

/** An answer that makes no sense. @param what as the program calls it */
export const nonsense = (host: string, what: string): QuarryError =>
  new QuarryError({ code: 'PROTOCOL', message: say('competitor.nonsense', { host, what }) });

/** What a server says is not so. */
export const untrue = (message: Saying, hint?: Saying): QuarryError =>
  new QuarryError({ code: 'PROTOCOL', message, ...(hint && { hint }) });

export const refused = (message: Saying, field?: string, hint?: Saying): QuarryError =>
  new QuarryError({ code: 'BAD_REQUEST', message, ...(field !== undefined && { field }), ...(hint && { hint }) });
