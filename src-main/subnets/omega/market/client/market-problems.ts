import { type ErrorCode, QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import { LONGEST_WAIT_MS } from '../../../../bittensor/signed-requests/told-refusal.ts';
import type { MarketErrorBody, MarketErrorCode } from '../wire.ts';

type SaidKey = `trade.said.${MarketErrorCode}`;

/** How each is called in Quarry, how it is said, and whether the same request may succeed later. */
const NAMED: Record<MarketErrorCode, { code: ErrorCode; key: SaidKey; retryable?: true }> = {
  BAD_REQUEST: { code: 'BAD_REQUEST', key: 'trade.said.BAD_REQUEST' },
  PAYMENT: { code: 'BAD_REQUEST', key: 'trade.said.PAYMENT' },
  UNAUTHORIZED: { code: 'UNAUTHORIZED', key: 'trade.said.UNAUTHORIZED' },
  FORBIDDEN: { code: 'UNAUTHORIZED', key: 'trade.said.FORBIDDEN' },
  BANNED: { code: 'BANNED', key: 'trade.said.BANNED' },
  NOT_FOUND: { code: 'BAD_REQUEST', key: 'trade.said.NOT_FOUND' },
  CONFLICT: { code: 'BAD_REQUEST', key: 'trade.said.CONFLICT' },
  LOCKED: { code: 'BAD_REQUEST', key: 'trade.said.LOCKED' },
  PRICE: { code: 'BAD_REQUEST', key: 'trade.said.PRICE' },
  GONE: { code: 'BAD_REQUEST', key: 'trade.said.GONE' },
  TOO_LARGE: { code: 'BAD_REQUEST', key: 'trade.said.TOO_LARGE' },
  TOO_EARLY: { code: 'OVERLOADED', key: 'trade.said.TOO_EARLY', retryable: true },
  RATE_LIMIT: { code: 'RATE_LIMIT', key: 'trade.said.RATE_LIMIT', retryable: true },
  BUDGET: { code: 'RATE_LIMIT', key: 'trade.said.BUDGET' },
  UNAVAILABLE: { code: 'OVERLOADED', key: 'trade.said.UNAVAILABLE', retryable: true },
  INTERNAL: { code: 'PROTOCOL', key: 'trade.said.INTERNAL', retryable: true },
};

/** Of a market's own words. */
const MOST_CHARS = 400;

/** What a market answered instead of what was asked for. */
export class MarketRefusal extends QuarryError {
  readonly market: MarketErrorCode;

  constructor({ code, message, field, retryAfter }: MarketErrorBody, hint?: Saying) {
    const wait = retryAfter === undefined ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(0, retryAfter));
    const reason = message.slice(0, MOST_CHARS);
    const { key, ...named } = NAMED[code];
    super({
      ...named,
      message: say(key, { reason }),
      ...(hint && { hint }),
      ...(wait !== undefined && { retryAfterMs: wait }),
      ...(field !== undefined && { field: field.slice(0, MOST_CHARS) }),
    });
    this.market = code;
  }
}

/** Whether a market said just this. */
export const isRefusal = (error: unknown, ...codes: MarketErrorCode[]): boolean =>
  error instanceof MarketRefusal && codes.includes(error.market);

/** @param host of the market */
export const unreachable = (host: string, cause?: unknown): QuarryError =>
  new QuarryError(
    { code: 'DEADLINE', message: say('trade.unreachable', { host }), hint: say('trade.later'), retryable: true },
    { cause },
  );

/** An answer that makes no sense. @param what as the program calls it */
export const nonsense = (host: string, what: string): QuarryError =>
  new QuarryError({ code: 'PROTOCOL', message: say('trade.nonsense', { host, what }) });

export const refused = (message: Saying, field?: string, hint?: Saying): QuarryError =>
  new QuarryError({ code: 'BAD_REQUEST', message, ...(field !== undefined && { field }), ...(hint && { hint }) });

/** More than may be spent in a day. @param cap rao */
export const overCap = (cap: bigint): QuarryError =>
  cap === 0n
    ? refused(say('trade.noCap'), 'cap', say('trade.noCap.hint'))
    : refused(say('trade.overCap'), 'cap', say('trade.overCap.hint'));
