import type { Job } from './job.ts';
import type { WaitingLines } from './waiting-lines.ts';

/** Places told anew; further back a place changes too often to matter. */
const TOLD_PLACES = 256;

/** Tells waiting clients their place: once when they queue, then when it has changed, at most every `gapMs`. */
export class PositionNotices {
  readonly #lines: WaitingLines;
  readonly #expectedWaitMs: (job: Job, ahead: number) => number;
  readonly #gapMs: number;
  readonly #told = new WeakMap<Job, number>();
  #soon: NodeJS.Timeout | undefined;

  /** @param gapMs milliseconds. Default 500 */
  constructor(lines: WaitingLines, expectedWaitMs: (job: Job, ahead: number) => number, gapMs = 500) {
    this.#lines = lines;
    this.#expectedWaitMs = expectedWaitMs;
    this.#gapMs = gapMs;
  }

  tell(job: Job, position: number): void {
    this.#told.set(job, position);
    job.waits(position, this.#expectedWaitMs(job, position));
  }

  /** The queue moved. */
  touch(): void {
    if (this.#lines.size === 0) return;
    this.#soon ??= setTimeout(() => this.#tellMoved(), this.#gapMs);
  }

  close(): void {
    clearTimeout(this.#soon);
  }

  #tellMoved(): void {
    this.#soon = undefined;
    let position = 0;
    for (const job of this.#lines) {
      if (position >= TOLD_PLACES) break;
      if (this.#told.get(job) !== position) this.tell(job, position);
      position++;
    }
  }
}
