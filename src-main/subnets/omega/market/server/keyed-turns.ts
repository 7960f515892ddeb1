import { Turns } from '../../../../base/turns.ts';

/** One thing after the other for each key; different keys do not wait for each other. Keeps nothing of a key that nobody uses. */
export class KeyedTurns {
  readonly #kept = new Map<string, { turns: Turns; users: number }>();

  get size(): number {
    return this.#kept.size;
  }

  /** @throws what the work throws */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key) ?? { turns: new Turns(), users: 0 };
    this.#kept.set(key, kept);
    kept.users++;
    try {
      return await kept.turns.take(work);
    } finally {
      if (--kept.users === 0) this.#kept.delete(key);
    }
  }
}
