/** What every server of signed requests says, with HTTP’s own word for it: nothing that failed is a 200. */
export const PROBLEM_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  BANNED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  TOO_EARLY: 425,
  RATE_LIMIT: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const;
export type CommonCode = keyof typeof PROBLEM_STATUS;

/** What more there is to say of a problem. */
export interface ProblemDetails {
  field?: string;
  /** Milliseconds after which it may be asked again; undefined where that does not help, or nobody knows. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Why a server does not do what it was asked, in English, for a program of whoever asks. Each server has codes of its own besides: see who extends it. */
export class RequestProblem<Code extends string = string> extends Error {
  readonly code: Code | CommonCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;

  /** @param statuses of the server’s own codes. Default: it has none */
  constructor(
    code: Code | CommonCode,
    message: string,
    { field, retryAfterMs, cause }: ProblemDetails = {},
    statuses?: Readonly<Record<Code, number>>,
  ) {
    super(message, { cause });
    this.name = 'Problem';
    this.code = code;
    const all: Readonly<Record<string, number>> = { ...PROBLEM_STATUS, ...statuses };
    this.status = all[code] ?? PROBLEM_STATUS.INTERNAL;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }

  get body(): { error: { code: Code | CommonCode; message: string; field?: string; retryAfter?: number } } {
    const { code, message, field, retryAfterMs: retryAfter } = this;
    return {
      error: { code, message, ...(field !== undefined && { field }), ...(retryAfter !== undefined && { retryAfter }) },
    };
  }
}
