import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { GenerateOptions } from '../backend.ts';
import type { EngineResult, HostMessage, HostRequest, RequestEvent } from '../engine-protocol.ts';

type Chunk = Extract<RequestEvent, { type: 'chunk' }>;

export interface RequestHandlers {
  onChunk?: (chunk: Chunk) => void;
  /** @param waitedMs how long the request waited before the child got it, which the child's own times leave out */
  onDone: (result: EngineResult, waitedMs: number) => void;
  onFail: (error: QuarryError) => void;
}

interface Entry {
  id: number;
  request: HostRequest;
  handlers: RequestHandlers;
  askedAt: number;
  sentAt: number;
  started: boolean;
  dispose: () => void;
}

/**
 * The requests that the engine owes an answer, in the order they were asked. They outlive the child: those that had not
 * begun when it died are given to the next one.
 */
export class EngineRequests {
  readonly #send: (message: HostMessage) => void;
  readonly #now: () => number;
  readonly #entries = new Map<number, Entry>();
  #nextId = 0;

  /** @param send drops what it cannot send; {@link resend} makes up for it */
  constructor(send: (message: HostMessage) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  get active(): number {
    return [...this.#entries.values()].filter(({ started }) => started).length;
  }

  get waiting(): number {
    return this.#entries.size - this.active;
  }

  /**
   * Sends a request; exactly one of `onDone` and `onFail` is called for it, unless it is cancelled first.
   * @returns cancels it silently; nothing happens when it has ended
   */
  add(request: HostRequest, handlers: RequestHandlers, { signal, deadlineMs }: GenerateOptions): () => void {
    const id = this.#nextId++;
    const stop = (error: QuarryError) => this.#stop(id, error);
    const onAbort = () => stop(new QuarryError({ code: 'CANCELLED', message: say('engine.cancelled') }));
    const timer = deadlineMs === undefined ? undefined : setTimeout(() => stop(missed(deadlineMs)), deadlineMs);
    const now = this.#now();
    this.#entries.set(id, {
      id,
      request,
      handlers,
      askedAt: now,
      sentAt: now,
      started: false,
      dispose: () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      },
    });
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    else this.#send({ ...request, id });
    return () => this.#cancel(id);
  }

  onEvents(events: readonly RequestEvent[]): void {
    for (const event of events) this.#onEvent(event);
  }

  /** Gives a new child everything that the old one had not begun. */
  resend(): void {
    for (const entry of this.#entries.values()) {
      entry.sentAt = this.#now();
      this.#send({ ...entry.request, id: entry.id });
    }
  }

  failStarted(error: QuarryError): void {
    this.#fail(
      [...this.#entries.values()].filter(({ started }) => started),
      error,
    );
  }

  failAll(error: QuarryError): void {
    this.#fail([...this.#entries.values()], error);
  }

  #onEvent(event: RequestEvent): void {
    const entry = this.#entries.get(event.id);
    if (!entry) return;
    if (event.type === 'started') entry.started = true;
    if (event.type === 'chunk') entry.handlers.onChunk?.(event);
    if (event.type === 'failed') this.#fail([entry], new QuarryError(event.error));
    if (event.type === 'done') {
      this.#end(entry);
      entry.handlers.onDone(event.result, entry.sentAt - entry.askedAt);
    }
  }

  #stop(id: number, error: QuarryError): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#cancel(id);
    entry.handlers.onFail(error);
  }

  #cancel(id: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#end(entry);
    this.#send({ type: 'cancel', id });
  }

  #fail(entries: readonly Entry[], error: QuarryError): void {
    for (const entry of entries) {
      this.#end(entry);
      entry.handlers.onFail(error);
    }
  }

  #end(entry: Entry): void {
    this.#entries.delete(entry.id);
    entry.dispose();
  }
}

function missed(deadlineMs: number): QuarryError {
  return new QuarryError({
    code: 'DEADLINE',
    message: say('engine.missed', { deadlineMs }),
    hint: say('engine.moreTime'),
    retryable: true,
  });
}
