import { z } from 'zod';
import { type ErrorCode, QuarryError } from '../../../src-preload/contract/errors.ts';
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
      message: `Cannot reach ${baseUrl.origin}: ${REASONS[reason] ?? plain(reason)}.`,
      hint: 'Check that the server is running and that its address is right.',
      retryable: true,
    },
    { cause: error },
  );
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
};

/** The answer broke off. */
export function lostConnection(baseUrl: URL, cause?: unknown): QuarryError {
  const message = `${baseUrl.host} closed the connection in the middle of an answer.`;
  return new QuarryError({ code: 'ENGINE_CRASHED', message, retryable: true }, { cause });
}

/** The server does not speak the OpenAI API as we know it. */
export function protocolError(message: string, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'PROTOCOL', message, hint: 'Check that the address is an OpenAI API.' }, { cause });
}

/** The error that a response with a failure status stands for. Reads at most 64 KiB of it. */
export async function responseError(response: Response, path: string): Promise<QuarryError> {
  const detail = errorDetail(await readStart(response));
  const said = detail ? `: ${detail.message}` : '.';
  const { status } = response;
  if (status === 401 || status === 403) {
    return new QuarryError({
      code: 'UNAUTHORIZED',
      message: `The server refused the key${said}`,
      hint: 'Check the API key of the remote backend.',
    });
  }
  if (status === 404) return notFound(detail, path);
  if (status === 429 || status === 503) {
    const asked = parseRetryAfter(response.headers.get('retry-after'), Date.now(), MAX_RETRY_MS);
    const retryAfterMs = asked ?? DEFAULT_RETRY_MS;
    return new QuarryError({ code: 'OVERLOADED', message: `The server is busy${said}`, retryable: true, retryAfterMs });
  }
  if (status >= 500 || status === 408) return serverFault(status, said);
  return refusal(detail, `The server refused the request with status ${status}${said}`);
}

/** The error that an event in the middle of a stream reports; undefined when the event is none. */
export function eventError(event: unknown): QuarryError | undefined {
  if (typeof event !== 'object' || event === null || !('error' in event)) return undefined;
  const detail = detailOf(event) ?? { message: 'no reason given' };
  const status = Number(detail.code);
  if (status >= 400 && status < 500) return refusal(detail, detail.message);
  return new QuarryError({
    code: 'ENGINE_CRASHED',
    message: `The server failed in the middle of an answer: ${detail.message}`,
    retryable: true,
  });
}

function notFound(detail: ErrorDetail | undefined, path: string): QuarryError {
  const aboutModel = detail && /model/i.test(`${detail.code} ${detail.type} ${detail.message}`);
  if (!aboutModel) return new QuarryError({ code: 'BAD_REQUEST', message: `The server does not offer ${path}.` });
  return new QuarryError({ code: 'MODEL_NOT_FOUND', message: detail.message, field: 'model' });
}

function serverFault(status: number, said: string): QuarryError {
  const gateway = status === 502 || status === 504 || status === 408;
  const code: ErrorCode = gateway ? 'ENGINE_UNAVAILABLE' : 'ENGINE_CRASHED';
  return new QuarryError({ code, message: `The server failed with status ${status}${said}`, retryable: true });
}

function refusal(detail: ErrorDetail | undefined, message: string): QuarryError {
  const text = `${detail?.code} ${detail?.type} ${detail?.message}`;
  const tooLong = /context_length_exceeded|exceed_context_size|maximum context length|context size/i.test(text);
  const code: ErrorCode = tooLong ? 'CONTEXT_TOO_LONG' : 'BAD_REQUEST';
  return new QuarryError({ code, message, field: detail?.param ?? undefined });
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
    return text.trim() ? { message: plain(text) } : undefined;
  }
}

function detailOf(body: unknown): ErrorDetail | undefined {
  const { data } = errorBody.safeParse(body);
  return data && { ...data, message: plain(data.message) };
}

/** A stranger's words, short and without control characters. */
function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}
