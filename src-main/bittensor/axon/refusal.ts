/** Why a request is not answered, in the SDK's statuses and words, for whoever sent it. */
export class Refusal extends Error {
  readonly status: number;
  /** Milliseconds after which it may be tried again; undefined where that does not help, or nobody knows. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, options);
    this.name = 'Refusal';
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
