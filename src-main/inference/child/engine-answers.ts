import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EngineResult, RequestEvent } from '../engine-protocol.ts';
import type { TextPiece } from './text-stream.ts';

/** What can be told to stop. */
export interface Cancellable {
  cancel(): void;
}

/** A request of the host that has had no last word yet. */
export class OpenRequest {
  readonly id: number;
  #ended = false;
  #task: Cancellable | undefined;

  constructor(id: number) {
    this.id = id;
  }

  /** Nobody waits for it any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The task that works for it is told when it is cancelled, at once if it already is. */
  hold<T extends Cancellable>(task: T): T {
    this.#task = task;
    if (this.#ended) task.cancel();
    return task;
  }

  cancel(): void {
    this.#ended = true;
    this.#task?.cancel();
  }
}

type Chunk = Extract<RequestEvent, { type: 'chunk' }>;

/** Forty times a second looks like a stream to a person. */
const CHUNKS_EVERY_MS = 25;

/**
 * In the engine child: the requests that the host waits for, and the events on their way to it. Later chunks of an
 * answer are gathered for a moment, because each message costs both processes time that the model could use.
 */
export class EngineAnswers {
  readonly #send: (events: RequestEvent[]) => void;
  readonly #now: () => number;
  readonly #open = new Map<number, OpenRequest>();
  readonly #streaming = new Set<number>();
  #outbox: RequestEvent[] = [];
  #urgent = false;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(send: (events: RequestEvent[]) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  open(id: number): OpenRequest {
    const request = new OpenRequest(id);
    this.#open.set(id, request);
    return request;
  }

  cancel(id: number): void {
    this.#open.get(id)?.cancel();
    this.#close(id);
  }

  /** Sent at once: should the request bring llama.cpp down, the host knows which one it was. */
  started({ id }: OpenRequest): void {
    this.#outbox.push({ type: 'started', id });
    this.#flush();
  }

  chunk({ id }: OpenRequest, piece: TextPiece): void {
    if (!this.#streaming.has(id)) this.#urgent = true;
    this.#streaming.add(id);
    const waiting = this.#outbox.find((event): event is Chunk => event.type === 'chunk' && event.id === id);
    if (waiting) append(waiting, piece);
    else this.#outbox.push(append({ type: 'chunk', id, text: '', tokens: 0 }, piece));
  }

  done({ id }: OpenRequest, result: EngineResult): void {
    if (!this.#close(id)) return;
    this.#outbox.push({ type: 'done', id, result });
    this.#urgent = true;
  }

  fail({ id }: OpenRequest, error: unknown): void {
    if (!this.#close(id)) return;
    this.#outbox.push({ type: 'failed', id, error: QuarryError.from(error).toJSON() });
    this.#flush();
  }

  /** Sends what has gathered, if it is time or cannot wait. */
  settle(): void {
    if (this.#urgent || this.#now() - this.#sentAt >= CHUNKS_EVERY_MS) this.#flush();
  }

  #close(id: number): boolean {
    this.#streaming.delete(id);
    return this.#open.delete(id);
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#send(this.#outbox);
    this.#outbox = [];
    this.#urgent = false;
    this.#sentAt = this.#now();
  }
}

function append(chunk: Chunk, { text, tokens, logprobs }: TextPiece): Chunk {
  chunk.text += text;
  chunk.tokens += tokens;
  if (logprobs.length > 0) chunk.logprobs = [...(chunk.logprobs ?? []), ...logprobs];
  return chunk;
}
