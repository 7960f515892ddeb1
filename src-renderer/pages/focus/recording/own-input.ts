import { MOST_COUNTED } from '../../../../src-preload/contract/focus-limits.ts';

type Counts = { keys: number; clicks: number; moves: number };

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
      keys: Math.min(counts.keys, MOST_COUNTED.keys),
      clicks: Math.min(counts.clicks, MOST_COUNTED.clicks),
      moves: Math.min(counts.moves, MOST_COUNTED.moves),
    };
  }

  close(): void {
    this.#leaving.abort();
  }
}
