/** Energy of the day so far. */
export interface EnergyToday {
  wattHours: number;
  /** Unix milliseconds: midnight, or when this was first measured. */
  since: number;
}

/** Between two looks that lie further apart (sleep, a busy machine) nobody knows what was drawn. */
const LONGEST_GAP_MS = 60_000;

/** Adds up what power was drawn since midnight, local time. */
export class EnergyMeter {
  #since: number;
  #wattHours = 0;
  #known = false;
  #last: { at: number; watts: number | undefined } | undefined;

  constructor(now: number) {
    this.#since = now;
  }

  /** @param watts what is drawn at this moment; undefined where nobody can tell */
  take(watts: number | undefined, at: number): void {
    this.#turnDay(at);
    const gap = this.#last === undefined ? 0 : at - this.#last.at;
    if (this.#last?.watts !== undefined && gap > 0 && gap <= LONGEST_GAP_MS) {
      this.#wattHours += (this.#last.watts * gap) / 3_600_000;
    }
    this.#known ||= watts !== undefined;
    this.#last = { at, watts };
  }

  /** Undefined where there was never a figure. */
  today(at: number): EnergyToday | undefined {
    this.#turnDay(at);
    return this.#known ? { wattHours: this.#wattHours, since: this.#since } : undefined;
  }

  #turnDay(at: number): void {
    const midnight = new Date(at).setHours(0, 0, 0, 0);
    if (midnight <= this.#since) return;
    this.#since = midnight;
    this.#wattHours = 0;
    if (this.#last && this.#last.at < midnight) this.#last = { ...this.#last, at: midnight };
  }
}
