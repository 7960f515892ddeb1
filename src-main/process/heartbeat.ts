import { performance } from 'node:perf_hooks';
import { say, type Words } from '../../src-preload/contract/saying.ts';

export interface HeartbeatOptions {
  /** Whether the child should be there for us now. Where it may well be silent, nothing is asked and nothing counts. */
  isDue: () => boolean;
  /** What the child is sent. It answers at once, with any message. */
  ping: object;
  /** Milliseconds between two of them. Default 10,000. */
  everyMs?: number;
  /** So long it may say nothing, milliseconds: then it hangs. Default 60,000. */
  patienceMs?: number;
}

export interface Heart extends HeartbeatOptions {
  /** @throws what {@link CheckedChild.send} does */
  send: (message: object) => void;
  /** Called with the rest of a sentence that begins with the child's name. */
  onHang: (reason: Words) => void;
  /** Milliseconds, monotonic. Default: this process's. */
  now?: () => number;
}

/** How late the own timer may be, in its intervals. */
const ON_TIME = 1.5;

/**
 * Notices a child whose main thread does nothing any more. Only pings count that this process, too, was there to hear the answer of: where its own
 * timer is late, it was blocked or stopped itself, or the whole machine slept.
 */
export class Heartbeat {
  readonly #heart: Heart;
  readonly #everyMs: number;
  readonly #mostUnanswered: number;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  #lastBeat: number;
  #waits = false;
  #unanswered = 0;

  constructor(heart: Heart) {
    const { everyMs = 10_000, patienceMs = 60_000, now = () => performance.now() } = heart;
    this.#heart = heart;
    this.#everyMs = everyMs;
    this.#now = now;
    this.#lastBeat = now();
    this.#mostUnanswered = Math.ceil(patienceMs / everyMs);
    this.#timer = setInterval(() => this.#beat(), everyMs);
  }

  /** The child has said something. */
  heard(): void {
    this.#waits = false;
    this.#unanswered = 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = this.#now();
    const onTime = now - this.#lastBeat < this.#everyMs * ON_TIME;
    this.#lastBeat = now;
    if (!this.#heart.isDue()) this.heard();
    else {
      if (this.#waits && onTime) this.#unanswered++;
      if (this.#unanswered < this.#mostUnanswered) this.#ping();
      else this.#giveUp();
    }
  }

  #giveUp(): void {
    this.close();
    this.#heart.onHang(say('child.hangs', { seconds: (this.#mostUnanswered * this.#everyMs) / 1_000 }));
  }

  #ping(): void {
    this.#waits = true;
    try {
      this.#heart.send(this.#heart.ping);
    } catch {
      // too much waits to be read by it already: that it says nothing counts all the same
    }
  }
}
