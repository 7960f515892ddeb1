import { LRUCache } from 'lru-cache';

/** Adds up what is said of many, each by its name; what was said fades. Bounded: those who were not named for longest are forgotten. */
export class DecayingWeights {
  readonly #halfLifeMs: number;
  readonly #entries: LRUCache<string, { weight: number; at: number }>;

  /**
   * @param halfLifeMs milliseconds in which a weight halves
   * @param max names to remember
   */
  constructor(halfLifeMs: number, max: number) {
    this.#halfLifeMs = halfLifeMs;
    this.#entries = new LRUCache({ max });
  }

  /** What is left of a name's weight now; 0 for one that is not known. @param now milliseconds */
  of(name: string, now: number): number {
    const entry = this.#entries.peek(name);
    // By a clock that was set back, what was said may lie in the future: it weighs no more for that.
    return entry ? entry.weight * 0.5 ** (Math.max(0, now - entry.at) / this.#halfLifeMs) : 0;
  }

  /** Adds to a name's weight. @returns what it is then */
  add(name: string, weight: number, now: number): number {
    const sum = this.of(name, now) + weight;
    this.#entries.set(name, { weight: sum, at: now });
    return sum;
  }

  forget(name: string): void {
    this.#entries.delete(name);
  }
}
