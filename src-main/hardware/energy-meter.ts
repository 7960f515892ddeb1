/** Between two looks that lie further apart (sleep, a busy machine) nobody knows what was drawn. */
const LONGEST_GAP_MS = 60_000;

/** Makes energy of what power was drawn at each look. */
export class EnergyMeter {
  #last: { at: number; watts: number | undefined } | undefined;

  /**
   * @param watts what is drawn at this moment; undefined where nobody can tell
   * @param at milliseconds of a clock
   * @returns joules since the look before; 0 where nobody could tell
   */
  take(watts: number | undefined, at: number): number {
    const before = this.#last;
    this.#last = { at, watts };
    const gap = before === undefined ? 0 : at - before.at;
    if (before?.watts === undefined || gap <= 0 || gap > LONGEST_GAP_MS) return 0;
    return (before.watts * gap) / 1_000;
  }
}
