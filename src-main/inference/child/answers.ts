import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EngineResult, RequestEvent } from '../engine-protocol.ts';
import type { TextPiece } from './text-stream.ts';

type Chunk = Extract<RequestEvent, { type: 'chunk' }>;

/** Forty times a second looks like a stream to a person. */
const CHUNKS_EVERY_MS = 25;

/**
 * In the engine child: the requests that the host waits for, and the events on their way to it. Later chunks of an
 * answer are gathered for a moment, because each message costs both processes time that the model could use.
 */
export class Answers {
  readonly #send: (events: RequestEvent[]) => void;
  readonly #now: () => number;
  readonly #open = new Map<number, Answer>();
  #outbox: RequestEvent[] = [];
  #urgent = false;
  #sentAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds, monotonic */
  constructor(send: (events: RequestEvent[]) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /** Begins the answer to a request that has just come. */
  open(id: number): Answer {
    const answer = new Answer({
      id,
      now: this.#now,
      put: (event, urgent) => this.#put(event, urgent),
      flush: () => this.#flush(),
      onOver: () => this.#open.delete(id),
    });
    this.#open.set(id, answer);
    return answer;
  }

  cancel(id: number): void {
    this.#open.get(id)?.cancel();
  }

  /** Sends what has gathered, if it is time or cannot wait. */
  settle(): void {
    if (this.#urgent || this.#now() - this.#sentAt >= CHUNKS_EVERY_MS) this.#flush();
  }

  #put(event: RequestEvent, urgent: boolean): void {
    if (urgent) this.#urgent = true;
    const waiting =
      event.type === 'chunk' && this.#outbox.find((each) => each.type === 'chunk' && each.id === event.id);
    if (waiting) append(waiting as Chunk, event as Chunk);
    else this.#outbox.push(event);
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#send(this.#outbox);
    this.#outbox = [];
    this.#urgent = false;
    this.#sentAt = this.#now();
  }
}

interface AnswerOptions {
  id: number;
  now: () => number;
  /** @param urgent whether the next round sends it, whenever the last one was sent */
  put: (event: RequestEvent, urgent: boolean) => void;
  flush: () => void;
  onOver: () => void;
}

/** What becomes of one request: it begins, says pieces, and has one last word, unless it is cancelled. */
export class Answer {
  /** Tokens of the prompt that were evaluated before. */
  cachedTokens = 0;
  readonly #options: AnswerOptions;
  readonly #askedAt: number;
  #startedAt: number | undefined;
  #firstTokenAt: number | undefined;
  #streaming = false;
  #over = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#askedAt = options.now();
  }

  /** It had its last word, or nobody waits for one any more. */
  get over(): boolean {
    return this.#over;
  }

  /** Its figures until now, in milliseconds since the request came. */
  get figures(): { cachedTokens: number; queuedMs: number; firstTokenMs: number; totalMs: number } {
    const end = this.#options.now();
    return {
      cachedTokens: this.cachedTokens,
      queuedMs: (this.#startedAt ?? end) - this.#askedAt,
      firstTokenMs: (this.#firstTokenAt ?? end) - this.#askedAt,
      totalMs: end - this.#askedAt,
    };
  }

  /** Sent at once: should the request bring llama.cpp down, the host knows which one it was. */
  started(): void {
    this.#startedAt = this.#options.now();
    this.#options.put({ type: 'started', id: this.#options.id }, true);
    this.#options.flush();
  }

  /** The model has chosen a token, whether or not there is text to show. */
  token(): void {
    this.#firstTokenAt ??= this.#options.now();
  }

  /** The first piece goes out with the next round, later ones when enough have gathered. */
  chunk({ text, tokens, logprobs }: TextPiece): void {
    const chunk: Chunk = {
      type: 'chunk',
      id: this.#options.id,
      text,
      tokens,
      ...(logprobs.length > 0 && { logprobs }),
    };
    this.#options.put(chunk, !this.#streaming);
    this.#streaming = true;
  }

  done(result: EngineResult): void {
    if (this.#end()) this.#options.put({ type: 'done', id: this.#options.id, result }, true);
  }

  fail(error: unknown): void {
    if (!this.#end()) return;
    this.#options.put({ type: 'failed', id: this.#options.id, error: QuarryError.from(error).toJSON() }, true);
    this.#options.flush();
  }

  cancel(): void {
    this.#end();
  }

  /** @returns false when it had ended already */
  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#options.onOver();
    return true;
  }
}

function append(chunk: Chunk, { text, tokens, logprobs }: Chunk): void {
  chunk.text += text;
  chunk.tokens += tokens;
  if (logprobs) chunk.logprobs = [...(chunk.logprobs ?? []), ...logprobs];
}
