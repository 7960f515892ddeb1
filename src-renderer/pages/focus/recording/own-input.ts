import { chunkActivitySchema } from '../../../../src-preload/contract/focus.ts';

type Counts = { keys: number; clicks: number; moves: number };

const { keys, clicks, moves } = chunkActivitySchema.shape;
const MOST: Counts = { keys: most(keys), clicks: most(clicks), moves: most(moves) };
/** What is counted, by the events that tell of it. */
const EVENTS: readonly [event: string, counts: keyof Counts][] = [
  ['keydown', 'keys'],
  ['pointerdown', 'clicks'],
  ['pointermove', 'moves'],
];

/** Counts how often keys and the mouse were used in this page, and never which or where. What other programs get, no page can know. */
export class OwnInput {
  readonly #target: EventTarget;
  readonly #leaving = new AbortController();
  #counts: Counts = { keys: 0, clicks: 0, moves: 0 };

  /** @param target the window */
  constructor(target: EventTarget) {
    this.#target = target;
    const { signal } = this.#leaving;
    for (const [event, counted] of EVENTS) {
      this.#target.addEventListener(event, () => this.#counts[counted]++, { capture: true, passive: true, signal });
    }
  }

  /** What there was since the last time. */
  take(): Counts {
    const counts = this.#counts;
    this.#counts = { keys: 0, clicks: 0, moves: 0 };
    return {
      keys: Math.min(counts.keys, MOST.keys),
      clicks: Math.min(counts.clicks, MOST.clicks),
      moves: Math.min(counts.moves, MOST.moves),
    };
  }

  close(): void {
    this.#leaving.abort();
  }
}

function most(count: (typeof chunkActivitySchema.shape)[keyof Counts]): number {
  return count.unwrap().maxValue ?? 0;
}
