import type { Sample } from '../../../src-preload/contract/node.ts';
import { Changes } from '../../base/changes.ts';

/** Fifteen minutes. */
const KEPT = 900;
const INTERVAL_MS = 1_000;

/** What the node is at one moment, as far as others count it. */
export type SampleReading = Pick<Sample, 'active' | 'waiting' | 'health' | 'peers'>;

export interface SamplesOptions {
  read: () => SampleReading;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** The live charts' memory: a sample a second over the last fifteen minutes. A resource. */
export class Samples {
  readonly #read: () => SampleReading;
  readonly #now: () => number;
  readonly #changes = new Changes();
  readonly #closing = new AbortController();
  readonly #samples: Sample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #takenAt: number;
  #tokens = 0;
  #firstTokenMs: number | null = null;

  constructor({ read, now = Date.now }: SamplesOptions) {
    this.#read = read;
    this.#now = now;
    this.#takenAt = now();
  }

  /** Idempotent. */
  open(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setInterval(() => this.#take(), INTERVAL_MS).unref();
  }

  /** Ends every watch. Idempotent. */
  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort();
  }

  /** Counts tokens that were generated for the mesh. */
  tokens(count: number): void {
    this.#tokens += count;
  }

  /** Notes after how many milliseconds a request got its first token. */
  firstToken(ms: number): void {
    this.#firstTokenMs = ms;
  }

  /** What is kept, oldest first. */
  list(): Sample[] {
    return [...this.#samples];
  }

  /** What is kept, then each new sample. Ends with the signal, and with {@link close}. */
  async *watch(signal: AbortSignal): AsyncGenerator<Sample[], void, undefined> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    let seen = this.#changes.count;
    yield this.list();
    while (!ending.aborted) {
      await this.#changes.after(seen, ending);
      const missed = Math.min(this.#changes.count - seen, this.#samples.length);
      seen = this.#changes.count;
      if (missed > 0) yield this.#samples.slice(-missed);
    }
  }

  #take(): void {
    const at = this.#now();
    const seconds = Math.max(0.001, (at - this.#takenAt) / 1_000); // a clock may be set back
    this.#samples.push({
      at,
      tokensPerSecond: Math.round((this.#tokens / seconds) * 10) / 10,
      firstTokenMs: this.#firstTokenMs,
      ...this.#read(),
    });
    if (this.#samples.length > KEPT) this.#samples.shift();
    this.#takenAt = at;
    this.#tokens = 0;
    this.#firstTokenMs = null;
    this.#changes.tell();
  }
}
