import type { z } from 'zod';
import { parsedJson } from '../../base/json-text.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';
import type { CommonCode } from './request-problem.ts';
import { SIGNED_FOR_MS } from './signed-text.ts';

/** A server may not send us away for longer. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** A clock that is off by more is what a refused signature comes from. */
const CLOCK_MS = SIGNED_FOR_MS / 2;

/** Of what every server of signed requests says ({@link CommonCode}), what a status alone tells. */
type CodeOfStatus = Extract<
  CommonCode,
  'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'TOO_LARGE' | 'TOO_EARLY' | 'RATE_LIMIT' | 'UNAVAILABLE' | 'INTERNAL'
>;

/** Where an answer is none of such a server’s: what stands between us and it, as a proxy. */
const BY_STATUS: Record<number, CodeOfStatus> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  425: 'TOO_EARLY',
  429: 'RATE_LIMIT',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

/** Why a server did not do what was asked, in its own words. */
export interface ToldError<Code> {
  code: Code;
  message: string;
  field?: string | undefined;
  /** Milliseconds. */
  retryAfter?: number | undefined;
}

export interface ToldRefusalOptions<Code> {
  /** As the server says it. */
  schema: z.ZodType<{ error: ToldError<Code> }>;
  /** What other statuses of a proxy mean. */
  byStatus?: Record<number, Code>;
  /** Unix milliseconds. */
  now: number;
}

/**
 * Reads what a server answered instead of what was asked for.
 * @returns why, and whether the signature was refused while the clocks are far apart; undefined for what makes no sense
 */
export function toldRefusal<Code extends string>(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  { schema, byStatus, now }: ToldRefusalOptions<Code>,
): { error: ToldError<Code | CodeOfStatus>; isClockOff: boolean } | undefined {
  const { data } = schema.safeParse(parsedJson(text));
  const code = byStatus?.[status] ?? BY_STATUS[status] ?? (status >= 500 ? 'UNAVAILABLE' : undefined);
  if (!data && !code) return undefined;
  const told: ToldError<Code | CodeOfStatus> = data?.error ?? { code: code ?? 'INTERNAL', message: `HTTP ${status}` };
  const wait = told.retryAfter ?? parseRetryAfter(headers.get('retry-after'), now, LONGEST_WAIT_MS);
  const theirs = Date.parse(headers.get('date') ?? '');
  return {
    error: { ...told, ...(wait !== undefined && { retryAfter: wait }) },
    isClockOff: told.code === 'UNAUTHORIZED' && Math.abs(theirs - now) > CLOCK_MS,
  };
}
