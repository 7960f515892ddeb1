import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface HttpRequest {
  url: URL;
  headers: Record<string, string>;
  /** Milliseconds that the server may be silent. */
  stallMs: number;
  signal: AbortSignal;
}

/** An answer whose body has yet to be read, or dropped. */
export interface HttpAnswer {
  /** Where it came from, after redirects. */
  url: URL;
  status: number;
  /** Those that came once. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The body, as it comes; leaving the loop drops the rest. */
  body(): AsyncGenerator<Buffer, void, undefined>;
  /** Gives up the body; the connection too, unless the body is short. */
  drop(): void;
}

/** What may wait in memory for its reader; above it the server has to wait. The count is against very small pieces. */
const MAX_WAITING_BYTES = 2 << 20;
const MAX_WAITING_PIECES = 256;
/** So much is read and thrown away, to keep the connection. */
const SHORT_BODY = 16 << 10;

/**
 * One GET, without redirects. It uses undici's dispatch interface: per GiB its `request` costs about 0.4 s more of
 * processor time, for streams that nothing here needs.
 * @throws what undici throws, or the signal's reason
 */
export async function exchange(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpAnswer> {
  const { url, headers, stallMs, signal } = request;
  signal.throwIfAborted();
  const handler = new Exchange(request);
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      headersTimeout: stallMs,
      bodyTimeout: stallMs,
    },
    handler,
  );
  return await handler.answer;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>;
  readonly #url: URL;
  readonly #signal: AbortSignal;
  readonly #answered = Promise.withResolvers<HttpAnswer>();
  readonly #onAbort = () => this.#fail(this.#signal.reason);
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #dropped = false;
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor({ url, signal }: HttpRequest) {
    this.#url = url;
    this.#signal = signal;
    this.answer = this.#answered.promise;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end || this.#signal.aborted) controller.abort(new Error('dropped'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#answered.resolve({
      url: this.#url,
      status,
      headers: singleHeaders(headers),
      body: () => this.#body(),
      drop: () => this.#drop(Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#dropped) return;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MAX_WAITING_BYTES || this.#waiting.length >= MAX_WAITING_PIECES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ error });
  }

  async *#body(): AsyncGenerator<Buffer, void, undefined> {
    try {
      while (true) {
        yield* this.#takeWaiting();
        if (this.#waiting.length > 0) continue;
        if (this.#end) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      this.#fail(new Error('dropped'));
    }
  }

  #takeWaiting(): Buffer[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#controller?.paused) this.#controller.resume();
    return taken;
  }

  #drop(length: number): void {
    this.#dropped = true;
    if (length <= SHORT_BODY) this.#takeWaiting();
    else this.#fail(new Error('dropped'));
  }

  /** Ends it from our side, where it has not ended already. */
  #fail(error: Error): void {
    if (this.#end) return;
    this.#finish({ error });
    this.#controller?.abort(error);
  }

  #finish(end: { error?: unknown }): void {
    if (this.#end) return;
    this.#end = end;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#answered.reject(end.error); // does nothing once it was answered
    this.#wake?.();
  }
}

function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') single[name] = value;
  return single;
}
