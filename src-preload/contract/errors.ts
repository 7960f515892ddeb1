import { type Said, told, type Words } from './saying.ts';

/**
 * The errors that Quarry names. Each carries a code for programs, a sentence for a person, and what to do next.
 * The fields travel as data (see {@link QuarryErrorData}), because message ports and HTTP strip them from thrown errors.
 */
export const ERROR_CODES = [
  'ADAPTER_INVALID',
  'ADAPTER_NOT_FOUND',
  'ANSWER_INCOMPLETE',
  'ANSWER_NOT_FOUND',
  'BAD_REQUEST',
  'BANNED',
  'CANCELLED',
  'CHAIN_REFUSED',
  'CHAIN_UNREACHABLE',
  'CONFIG_INVALID',
  'CONTEXT_TOO_LONG',
  'DATABASE_CORRUPT',
  'DATABASE_NEWER',
  'DATABASE_UNREACHABLE',
  'DATA_DIR_IN_USE',
  'DEADLINE',
  'DISK_FULL',
  'DOWNLOAD_FAILED',
  'ENGINE_CRASHED',
  'ENGINE_UNAVAILABLE',
  'INTERNAL',
  'LEARNING_BUSY',
  'MODELS_IN_USE',
  'MODEL_INVALID',
  'MODEL_NOT_FOUND',
  'NO_CREDIT',
  'NO_WORKER',
  'NOT_RUNNING',
  'OUT_OF_MEMORY',
  'OVERLOADED',
  'PORT_IN_USE',
  'PROTOCOL',
  'QUEUE_FULL',
  'RATE_LIMIT',
  'UNAUTHORIZED',
  'UNSUPPORTED',
  'WORKER_LOST',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface QuarryErrorData {
  code: ErrorCode;
  /** One sentence for a person. */
  message: string;
  /** What to do next, one sentence; absent when there is nothing to do. */
  hint?: string;
  /** Whether the same request may succeed if sent again (perhaps elsewhere). Default false. */
  retryable?: boolean;
  /** Milliseconds after which a retry makes sense. */
  retryAfterMs?: number;
  /** The input field at fault, as a dotted path. */
  field?: string;
  /** What the screens word `message` and `hint` from; absent for free text. */
  said?: Said;
}

/** As {@link QuarryErrorData}, with sentences that are yet to be worded. */
export interface QuarryErrorInit extends Omit<QuarryErrorData, 'message' | 'hint'> {
  message: Words;
  hint?: Words;
}

/** An error with a name, a sentence and a way out. */
export class QuarryError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly field: string | undefined;
  readonly said: Said | undefined;

  constructor(data: QuarryErrorInit, options?: { cause?: unknown }) {
    const { message, hint, said = data.said } = told({ message: data.message, hint: data.hint });
    super(message, options);
    this.name = 'QuarryError';
    this.code = data.code;
    this.hint = hint;
    this.said = said;
    this.retryable = data.retryable ?? false;
    this.retryAfterMs = data.retryAfterMs;
    this.field = data.field;
  }

  toJSON(): QuarryErrorData {
    return {
      code: this.code,
      message: this.message,
      hint: this.hint,
      retryable: this.retryable,
      retryAfterMs: this.retryAfterMs,
      field: this.field,
      said: this.said,
    };
  }

  /** The error itself if it already has a name, else an INTERNAL one with the original as its cause. */
  static from(error: unknown): QuarryError {
    if (error instanceof QuarryError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new QuarryError({ code: 'INTERNAL', message }, { cause: error });
  }
}
