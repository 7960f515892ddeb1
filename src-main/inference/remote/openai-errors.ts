import { z } from 'zod';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, type Words } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';

const MAX_ERROR_BYTES = 64 << 10;
const MAX_MESSAGE = 300;
const DEFAULT_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;

/** What servers say when they fail: OpenAI's and llama-server's shape, vLLM's older one, Ollama's. */
const detailSchema = z.object({
  message: z.string(),
  type: z.string().nullish(),
  param: z.string().nullish().catch(null),
  code: z.union([z.string(), z.number()]).nullish(),
});
const errorBody = z.union([
  z.object({ error: detailSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  detailSchema,
]);

type ErrorDetail = z.infer<typeof detailSchema>;

/** No connection, or none that works. */
export function connectionError(baseUrl: URL, error: unknown): QuarryError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? ('code' in cause && String(cause.code)) || cause.message : String(cause);
  return new QuarryError(
    {
      code: 'ENGINE_UNAVAILABLE',
      message: say('remote.unreachable', { origin: baseUrl.origin, why: REASONS[reason] ?? plain(reason) }),
      hint: say('remote.check'),
      retryable: true,
    },
    { cause: error },
  );
}

const REASONS: Record<string, Saying> = {
  ECONNREFUSED: say('remote.refused'),
  ENOTFOUND: say('remote.unknownName'),
  EAI_AGAIN: say('remote.noLookup'),
  ECONNRESET: say('remote.hungUp'),
  UND_ERR_SOCKET: say('remote.hungUp'),
  ETIMEDOUT: say('remote.noAnswer'),
  UND_ERR_CONNECT_TIMEOUT: say('remote.noAnswer'),
  EHOSTUNREACH: say('remote.noWay'),
  ENETUNREACH: say('remote.noWay'),
  CERT_HAS_EXPIRED: say('remote.certExpired'),
  DEPTH_ZERO_SELF_SIGNED_CERT: say('remote.selfSigned'),
};

/** The answer broke off. */
export function lostConnection(baseUrl: URL, cause?: unknown): QuarryError {
  const message = say('remote.brokeOff', { host: baseUrl.host });
  return new QuarryError({ code: 'ENGINE_CRASHED', message, retryable: true }, { cause });
}

/** The server does not speak the OpenAI API as we know it. */
export function protocolError(message: Saying, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'PROTOCOL', message, hint: say('remote.checkApi') }, { cause });
}

/** The error that a response with a failure status stands for. Reads at most 64 KiB of it. */
export async function responseError(response: Response, path: string): Promise<QuarryError> {
  const detail = errorDetail(await readStart(response));
  // What the server said, or the full stop.
  const said = detail ? `: ${detail.message}` : '.';
  const { status } = response;
  if (status === 401 || status === 403) {
    return new QuarryError({
      code: 'UNAUTHORIZED',
      message: say('remote.keyRefused', { said }),
      hint: say('remote.checkKey'),
    });
  }
  if (status === 404) return notFound(detail, path);
  if (status === 429 || status === 503) {
    const asked = parseRetryAfter(response.headers.get('retry-after'), Date.now(), MAX_RETRY_MS);
    const retryAfterMs = asked ?? DEFAULT_RETRY_MS;
    return new QuarryError({
      code: 'OVERLOADED',
      message: say('remote.busy', { said }),
      retryable: true,
      retryAfterMs,
    });
  }
  if (status >= 500 || status === 408) return serverFault(status, said);
  return refusal(detail, say('remote.refusedRequest', { status: String(status), said }));
}

/** The error that an event in the middle of a stream reports; undefined when the event is none. */
export function eventError(event: unknown): QuarryError | undefined {
  if (typeof event !== 'object' || event === null || !('error' in event)) return undefined;
  const detail = detailOf(event);
  const status = Number(detail?.code);
  if (detail && status >= 400 && status < 500) return refusal(detail, detail.message);
  return new QuarryError({
    code: 'ENGINE_CRASHED',
    message: say('remote.failedMidway', { detail: detail?.message ?? say('remote.noReason') }),
    retryable: true,
  });
}

function notFound(detail: ErrorDetail | undefined, path: string): QuarryError {
  const aboutModel = detail && /model/i.test(`${detail.code} ${detail.type} ${detail.message}`);
  if (!aboutModel) return new QuarryError({ code: 'BAD_REQUEST', message: say('remote.noPath', { path }) });
  return new QuarryError({ code: 'MODEL_NOT_FOUND', message: detail.message, field: 'model' });
}

function serverFault(status: number, said: string): QuarryError {
  const gateway = status === 502 || status === 504 || status === 408;
  const code: ErrorCode = gateway ? 'ENGINE_UNAVAILABLE' : 'ENGINE_CRASHED';
  return new QuarryError({ code, message: say('remote.failed', { status: String(status), said }), retryable: true });
}

function refusal(detail: ErrorDetail | undefined, message: Words): QuarryError {
  const text = `${detail?.code} ${detail?.type} ${detail?.message}`;
  const tooLong = /context_length_exceeded|exceed_context_size|maximum context length|context size/i.test(text);
  const code: ErrorCode = tooLong ? 'CONTEXT_TOO_LONG' : 'BAD_REQUEST';
  return new QuarryError({ code, message, field: detail?.param ? plain(detail.param) : undefined });
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_ERROR_BYTES) break;
    }
  } catch {
    // What arrived has to do: the status says what happened.
  }
  return text;
}

function errorDetail(text: string): ErrorDetail | undefined {
  try {
    return detailOf(JSON.parse(text));
  } catch {
    return text.trim() ? { message: plain(text) } : undefined; // it is no JSON
  }
}

function detailOf(body: unknown): ErrorDetail | undefined {
  const { data } = errorBody.safeParse(body);
  return data && { ...data, message: plain(data.message) };
}

/** A stranger's words, short, in one line that steers no terminal. */
function plain(text: string): string {
  const clean = foreignLine(text);
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}
