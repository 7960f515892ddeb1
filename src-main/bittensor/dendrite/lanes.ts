import { randomUUID } from 'node:crypto';

/**
 * Ids of one dendrite, by which axons tell its nonces apart. An axon takes only nonces that rise, and of two questions that are on their way at once the later one may
 * come first: so each has an id of its own for as long as no answer has begun. Who is asked one thing after the other hears one id alone.
 */
export class Lanes {
  readonly #ids: string[] = [];
  /** Ids on their way, as numbers, by whom they go to. */
  readonly #busy = new Map<string, Set<number>>();

  /** @param to whom @returns an id that nothing else on its way to there has, until it is given back */
  take(to: string): { id: string; free: () => void } {
    const busy = this.#busy.get(to) ?? new Set();
    let lane = 0;
    while (busy.has(lane)) lane++;
    this.#busy.set(to, busy.add(lane));
    const id = this.#ids[lane] ?? randomUUID();
    this.#ids[lane] = id;
    return {
      id,
      free: () => {
        busy.delete(lane);
        if (busy.size === 0) this.#busy.delete(to);
      },
    };
  }
}
