import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { EventQueue } from '../../base/event-queue.ts';
import type { GenerateOptions } from '../backend.ts';
import type { EngineResult, HostMessage, HostRequest, RequestEvent } from '../engine-protocol.ts';

/** What comes of a request: pieces of text where it streams, and at last its result. */
export type EngineEvent =
  | Extract<RequestEvent, { type: 'chunk' }>
  /** `waitedMs`: how long it waited before the child got it, which the child's own times leave out. */
  | { type: 'done'; result: EngineResult; waitedMs: number };

/** Where requests go. */
export interface EngineLine {
  /** Drops what it cannot send now; {@link EngineRequests.resend} makes up for it. May throw while the engine does not read. */
  send(message: HostMessage): void;
}

export interface EngineRequestsOptions {
  /** Requests that may wait for their turn before others are refused. */
  maxWaiting: number;
  /** Milliseconds, monotonic. */
  now: () => number;
}

interface Entry {
  id: number;
  line: EngineLine;
  request: HostRequest;
  events: EventQueue<EngineEvent>;
  askedAt: number;
  sentAt: number;
  started: boolean;
  /** Frees the timer and the signal. */
  dispose: () => void;
}

/**
 * The requests that the engine owes an answer, in the order they were asked. They outlive the child: those that had not
 * begun when it died are given to the next one.
 */
export class EngineRequests {
  readonly #options: EngineRequestsOptions;
  readonly #entries = new Map<number, Entry>();
  #nextId = 0;

  constructor(options: EngineRequestsOptions) {
    this.#options = options;
  }

  get active(): number {
    return [...this.#entries.values()].filter(({ started }) => started).length;
  }

  get waiting(): number {
    return this.#entries.size - this.active;
  }

  /**
   * Sends a request over the line, and yields what comes of it: at last exactly one `done`. It is sent when the first event is asked for;
   * leaving the iterator cancels it.
   *
   * @throws OVERLOADED when too many wait, or too much for an engine that does not read; CANCELLED when the signal aborts; DEADLINE; what the engine says went wrong;
   * ENGINE_CRASHED (retryable) when the engine dies after it has begun
   */
  async *submit(
    line: EngineLine,
    request: HostRequest,
    options: GenerateOptions = {},
  ): AsyncGenerator<EngineEvent, void, undefined> {
    if (options.signal?.aborted) throw cancelled();
    if (this.waiting >= this.#options.maxWaiting) throw overloaded(this.waiting);
    const entry = this.#enter(line, request, options);
    try {
      yield* entry.events;
    } finally {
      this.#cancel(entry);
    }
  }

  onEvents(events: readonly RequestEvent[]): void {
    for (const event of events) this.#onEvent(event);
  }

  /** Gives a new child everything that the old one had not begun. */
  resend(): void {
    for (const entry of this.#entries.values()) {
      entry.sentAt = this.#options.now();
      this.#send(entry);
    }
  }

  failStarted(error: QuarryError): void {
    for (const entry of this.#entries.values()) if (entry.started) this.#fail(entry, error);
  }

  failAll(error: QuarryError): void {
    for (const entry of this.#entries.values()) this.#fail(entry, error);
  }

  #enter(line: EngineLine, request: HostRequest, { signal, deadlineMs }: GenerateOptions): Entry {
    const id = this.#nextId++;
    const now = this.#options.now();
    // At once, whether or not anybody reads: the engine has better to do.
    const stop = (error: QuarryError) => {
      this.#cancel(entry);
      entry.events.fail(error);
    };
    const onAbort = () => stop(cancelled());
    const timer = deadlineMs === undefined ? undefined : setTimeout(() => stop(missed(deadlineMs)), deadlineMs);
    const dispose = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const events = new EventQueue<EngineEvent>();
    const entry: Entry = { id, line, request, events, askedAt: now, sentAt: now, started: false, dispose };
    this.#entries.set(id, entry);
    signal?.addEventListener('abort', onAbort);
    this.#send(entry);
    return entry;
  }

  #send(entry: Entry): void {
    try {
      entry.line.send({ ...entry.request, id: entry.id });
    } catch (error) {
      this.#fail(entry, QuarryError.from(error));
    }
  }

  #onEvent(event: RequestEvent): void {
    const entry = this.#entries.get(event.id);
    if (!entry) return;
    if (event.type === 'started') entry.started = true;
    if (event.type === 'chunk') entry.events.push(event);
    if (event.type === 'failed') this.#fail(entry, new QuarryError(event.error));
    if (event.type === 'done') {
      this.#remove(entry);
      entry.events.push({ type: 'done', result: event.result, waitedMs: entry.sentAt - entry.askedAt });
      entry.events.end();
    }
  }

  /** Tells the engine to stop, unless it has had its last word. */
  #cancel(entry: Entry): void {
    if (!this.#remove(entry)) return;
    try {
      entry.line.send({ type: 'cancel', id: entry.id });
    } catch {
      // it reads nothing now: it hangs and is ended soon, or it answers once more than anybody wants
    }
  }

  #fail(entry: Entry, error: QuarryError): void {
    this.#remove(entry);
    entry.events.fail(error);
  }

  /** @returns false when it was gone already */
  #remove(entry: Entry): boolean {
    entry.dispose();
    return this.#entries.delete(entry.id);
  }
}

function cancelled(): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });
}

function missed(deadlineMs: number): QuarryError {
  return new QuarryError({
    code: 'DEADLINE',
    message: say('engine.missed', { deadlineMs }),
    hint: say('engine.moreTime'),
    retryable: true,
  });
}

function overloaded(waiting: number): QuarryError {
  return new QuarryError({
    code: 'OVERLOADED',
    message: say('engine.waiting', { waiting }),
    hint: say('engine.someDone'),
    retryable: true,
    retryAfterMs: 1_000,
  });
}
