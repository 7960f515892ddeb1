import { Pace } from '../../base/pace.ts';
import { SortedBlocks } from '../../mesh/serving/queue/sorted-blocks.ts';

interface Event {
  at: number;
  seq: number;
  run: () => Promise<void> | void;
}

/** Noon UTC, some day: the clock of every simulation starts here. */
export const START = Date.UTC(2026, 6, 1, 12);

/** A clock that jumps from one thing that is to happen to the next. Unix milliseconds. */
export class VirtualTime {
  readonly #events = new SortedBlocks<Event>((a, b) => a.at - b.at || a.seq - b.seq);
  #now = START;
  #seq = 0;

  get now(): number {
    return this.#now;
  }

  /** Lets something happen at a moment; what is to happen at the same one does so in the order in which it was asked for. */
  schedule(at: number, run: Event['run']): void {
    this.#events.insert({ at, seq: this.#seq++, run });
  }

  /** Resolves when nothing is left to happen. @throws the signal's reason once it is aborted */
  async run(signal?: AbortSignal): Promise<void> {
    const pace = new Pace({ sliceMs: 100, signal });
    for (let event = this.#events.shift(); event; event = this.#events.shift()) {
      this.#now = event.at;
      await event.run();
      await pace.breathe();
    }
  }
}
