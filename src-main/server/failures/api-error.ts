import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Said, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { FailureFormat } from '../../http/http-listener.ts';
import { openAiField } from './openai-field.ts';

/** OpenAI's error: what every failing request gets, whatever its path; with `said` where our own pages show it to people. */
export interface ApiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null; said?: Said };
}

/** A failed request: status, body and, where it makes sense to try again, when. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly #said: Said | undefined;

  constructor(
    status: number,
    error: { message: Words; type?: string; param?: string | null; code?: string | null; retryAfterSeconds?: number },
    cause?: unknown,
  ) {
    const { message, said } = told({ message: error.message });
    super(message, { cause });
    this.name = 'ApiError';
    this.#said = said;
    this.status = status;
    this.type = error.type ?? (status < 500 ? 'invalid_request_error' : 'server_error');
    this.param = error.param ?? null;
    this.code = error.code ?? null;
    this.retryAfterSeconds = error.retryAfterSeconds;
  }

  toJSON(): ApiErrorBody {
    const { message, type, param, code } = this;
    return { error: { message, type, param, code, ...(this.#said && { said: this.#said }) } };
  }
}

/** Every failure of the node's server is told as OpenAI tells it. */
export const OPENAI_FAILURES: FailureFormat = {
  failure(error) {
    const told = toApiError(error);
    const { retryAfterSeconds, status } = told;
    const headers = {
      ...(retryAfterSeconds !== undefined && { 'retry-after': retryAfterSeconds }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    };
    return { status, headers, body: told.toJSON() };
  },
  unknownPath: (method, path) =>
    new ApiError(404, {
      // Programs that were told the address without its path, or speak another server's API, see no more than this.
      message: `Unknown request: ${method} ${path}${path.startsWith('/v1/') ? '' : '. Addresses of the OpenAI API begin with /v1/.'}`,
      code: 'unknown_url',
    }),
};

interface Meaning {
  status: number;
  type?: string;
  code?: string;
}

/** What our errors are at OpenAI. Any other is an internal one. */
const MEANINGS: Partial<Record<ErrorCode, Meaning>> = {
  ADAPTER_INVALID: { status: 400, code: 'adapter_invalid' },
  ADAPTER_NOT_FOUND: { status: 404, code: 'adapter_not_found' },
  ANSWER_INCOMPLETE: { status: 422, code: 'answer_incomplete' },
  ANSWER_NOT_FOUND: { status: 404, code: 'answer_not_found' },
  BAD_REQUEST: { status: 400 },
  CONTEXT_TOO_LONG: { status: 400, code: 'context_length_exceeded' },
  BANNED: { status: 403, type: 'permission_error', code: 'banned' },
  LEARNING_BUSY: { status: 409, code: 'learning_busy' },
  MODEL_INVALID: { status: 422, code: 'model_invalid' },
  MODEL_NOT_FOUND: { status: 404, code: 'model_not_found' },
  NO_CREDIT: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  RATE_LIMIT: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  // The caller's own token was checked before: this is a server or peer that refuses us.
  UNAUTHORIZED: { status: 502, code: 'upstream_unauthorized' },
  PROTOCOL: { status: 502, code: 'upstream_protocol' },
  UNSUPPORTED: { status: 422, code: 'unsupported' },
  CANCELLED: { status: 503, code: 'cancelled' },
  ENGINE_CRASHED: { status: 503, code: 'engine_crashed' },
  ENGINE_UNAVAILABLE: { status: 503, code: 'engine_unavailable' },
  NO_WORKER: { status: 503, code: 'no_worker' },
  NOT_RUNNING: { status: 503, code: 'not_running' },
  OUT_OF_MEMORY: { status: 503, code: 'out_of_memory' },
  OVERLOADED: { status: 503, code: 'overloaded' },
  QUEUE_FULL: { status: 503, code: 'queue_full' },
  WORKER_LOST: { status: 503, code: 'worker_lost' },
  DEADLINE: { status: 504, code: 'deadline' },
};

/** Any failure as OpenAI would put it. What is not named gets no details: those are for the log. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isHttpError(error)) {
    const code = error.code === 'FST_ERR_BAD_URL' ? 'invalid_url' : HTTP_CODES[error.statusCode];
    const message = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? SEND_JSON : error.message;
    return new ApiError(error.statusCode, { message, code }, error);
  }
  const named = QuarryError.from(error);
  const meaning = MEANINGS[named.code];
  if (!meaning) return new ApiError(500, { message: 'Quarry failed to serve the request; its log says why.' }, error);
  const { field } = named;
  const param = field === undefined ? null : openAiField(field);
  const said = named.hint ? `${named.message} ${named.hint}` : named.message;
  // A program is told of a field by the name under which it wrote it.
  const message = field === undefined ? said : said.replaceAll(`«${field}»`, `«${param}»`);
  const retryAfterSeconds = mayRetry(meaning.status) ? Math.ceil((named.retryAfterMs ?? 1000) / 1000) : undefined;
  return new ApiError(meaning.status, { ...meaning, message, param, retryAfterSeconds }, error);
}

function mayRetry(status: number): boolean {
  return status === 429 || status === 503;
}

const SEND_JSON = 'Send the header content-type: application/json';

const HTTP_CODES: Record<number, string> = {
  400: 'invalid_json',
  413: 'request_too_large',
  415: 'unsupported_media_type',
};

/** What fastify throws for addresses that are none, and for bodies that are too long, not JSON or of another kind. */
function isHttpError(error: unknown): error is Error & { statusCode: number; code?: string } {
  return (
    error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500
  );
}
