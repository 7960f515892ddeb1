import { createParser } from 'eventsource-parser';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import { jsonExcess, MAX_JSON_LEVELS } from '../../base/json-shape.ts';
import type { GenerateOptions } from '../backend.ts';
import { connectionError, lostConnection, protocolError, responseError } from './openai-errors.ts';
import { watched } from './watched.ts';

/** Where an OpenAI-compatible server is, and how long and how much it may say. */
export interface OpenAiEndpoint {
  /** Ends in a slash: `http://127.0.0.1:8000/v1/`. */
  baseUrl: URL;
  apiKey: string | undefined;
  /** Milliseconds without a byte after which a request is given up. */
  idleTimeoutMs: number;
  /** Most bytes of a whole answer, streamed or not. */
  mostBytes: number;
}

/** JSON with more entries and keys than one in so many bytes of the most that may come is none of numbers and texts: to parse it costs a hundred times its size. */
const BYTES_A_MARK = 8;
/** Most characters of one streamed event. */
const MAX_EVENT_CHARACTERS = 1 << 20;

/**
 * The life of one request: ends when the caller cancels, the deadline passes, the backend closes or the server stays
 * silent. `signal.reason` is then the {@link QuarryError} to throw.
 */
export class RequestScope {
  /** See {@link GenerateOptions}. */
  readonly onSent: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #idleTimeoutMs: number;
  readonly #unlisten: (() => void)[] = [];
  readonly #deadline: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ signal, deadlineMs, onSent }: GenerateOptions, closing: AbortSignal, idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs;
    this.onSent = onSent;
    this.#endOn(signal, say('request.cancelled'));
    this.#endOn(closing, say('remote.closed'));
    if (deadlineMs !== undefined) {
      const late = new QuarryError({ code: 'DEADLINE', message: say('remote.deadline', { deadlineMs }) });
      this.#deadline = setTimeout(() => this.#controller.abort(late), deadlineMs);
    }
    this.waiting();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Nothing is asked of the server while its last words are being used, however long that takes. */
  heard(): void {
    clearTimeout(this.#idle);
  }

  /** The server has to say something now. */
  waiting(): void {
    clearTimeout(this.#idle);
    const message = say('remote.silent', { seconds: this.#idleTimeoutMs / 1000 });
    const silent = new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, retryable: true });
    this.#idle = setTimeout(() => this.#controller.abort(silent), this.#idleTimeoutMs);
  }

  /** Stops the timers, and the transfer where it still runs. */
  end(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#deadline);
    for (const unlisten of this.#unlisten) unlisten();
    this.#controller.abort();
  }

  #endOn(signal: AbortSignal | undefined, message: Words): void {
    if (!signal) return;
    const end = () => this.#controller.abort(new QuarryError({ code: 'CANCELLED', message }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    this.#unlisten.push(() => signal.removeEventListener('abort', end));
  }
}

/**
 * Sends a request (a POST where there is a body) and reads the JSON answer.
 * @param path relative to the base URL
 * @throws QuarryError as {@link responseError} and {@link connectionError} say, or the scope's reason
 */
export async function requestJson(
  endpoint: OpenAiEndpoint,
  path: string,
  scope: RequestScope,
  body?: object,
): Promise<unknown> {
  const response = await send(endpoint, path, scope, body);
  const text = await readText(response, endpoint, scope);
  const { baseUrl, mostBytes } = endpoint;
  if (jsonExcess(Buffer.from(text), MAX_JSON_LEVELS, [], mostBytes / BYTES_A_MARK))
    throw protocolError(say('remote.fullJson', { host: baseUrl.host, path }));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw protocolError(say('remote.notJson', { host: baseUrl.host, path }), cause);
  }
}

/**
 * Sends a request and yields the data of each server-sent event, parsed, until the server says `[DONE]` or closes.
 * @throws QuarryError as {@link requestJson}, and PROTOCOL for an event that is too long or is not JSON
 */
export async function* requestEvents(
  endpoint: OpenAiEndpoint,
  path: string,
  scope: RequestScope,
  body: object,
): AsyncGenerator<unknown> {
  const response = await send(endpoint, path, scope, body);
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw protocolError(say('remote.longEvent'));
    },
  });
  for await (const text of readChunks(response, endpoint, scope)) {
    parser.feed(text);
    for (const data of events.splice(0)) {
      if (data === '[DONE]') return;
      if (scope.signal.aborted) throw scope.signal.reason;
      yield parseEvent(data);
    }
  }
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw protocolError(say('remote.eventNotJson'), cause);
  }
}

async function send(
  { baseUrl, apiKey }: OpenAiEndpoint,
  path: string,
  scope: RequestScope,
  body: object | undefined,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  if (apiKey) headers.set('authorization', `Bearer ${apiKey}`);
  if (body) headers.set('content-type', 'application/json');
  const { signal, onSent } = scope;
  const dispatcher = onSent && (await watched(onSent));
  const sent = {
    method: body ? 'POST' : 'GET',
    headers,
    body: body && JSON.stringify(body),
    redirect: 'error',
    signal,
  };
  const init = { ...sent, ...(dispatcher && { dispatcher }) } as RequestInit;
  const response = await fetch(new URL(path, baseUrl), init).catch((error: unknown) => {
    throw scope.signal.aborted ? scope.signal.reason : connectionError(baseUrl, error);
  });
  scope.waiting();
  if (response.ok) return response;
  throw await responseError(response, path);
}

async function readText(response: Response, endpoint: OpenAiEndpoint, scope: RequestScope): Promise<string> {
  let whole = '';
  for await (const text of readChunks(response, endpoint, scope)) whole += text;
  return whole;
}

async function* readChunks(
  response: Response,
  { baseUrl, mostBytes }: OpenAiEndpoint,
  scope: RequestScope,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      scope.heard();
      bytes += chunk.length;
      if (bytes > mostBytes) throw protocolError(say('remote.tooMuch', { host: baseUrl.host, most: mostBytes }));
      yield decoder.decode(chunk, { stream: true });
      scope.waiting();
    }
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    if (error instanceof QuarryError) throw error;
    throw lostConnection(baseUrl, error);
  }
}
