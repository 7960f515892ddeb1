import type { MarketErrorBody, MarketErrorCode } from '../wire.ts';

/** HTTP's own word for each: nothing that failed is a 200. */
const STATUS: Record<MarketErrorCode, number> = {
  BAD_REQUEST: 400,
  PAYMENT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  BANNED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  LOCKED: 409,
  PRICE: 409,
  GONE: 410,
  TOO_LARGE: 413,
  TOO_EARLY: 425,
  RATE_LIMIT: 429,
  BUDGET: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** Why a market does not do what it was asked, in English, for a program of the buyer or the seller. */
export class Problem extends Error {
  readonly code: MarketErrorCode;
  readonly field: string | undefined;
  /** Milliseconds after which it may be asked again; undefined where that does not help, or nobody knows. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: MarketErrorCode,
    message: string,
    { field, retryAfterMs, cause }: { field?: string; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'Problem';
    this.code = code;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return STATUS[this.code];
  }

  get body(): { error: MarketErrorBody } {
    const { code, message, field, retryAfterMs: retryAfter } = this;
    return {
      error: { code, message, ...(field !== undefined && { field }), ...(retryAfter !== undefined && { retryAfter }) },
    };
  }
}

/** Another's, too: whoever asks learns nothing of it. */
export function notFound(what: 'offer' | 'purchase' | 'video'): Problem {
  return new Problem('NOT_FOUND', `There is no such ${what}.`);
}
