/** How a miner did in one environment. */
export interface MinerMean {
  environment: string;
  miner: string;
  /** Results, and the mean of their scores. */
  count: number;
  mean: number;
}

interface Sum extends Pick<MinerMean, 'environment' | 'miner' | 'count'> {
  sum: number;
}

/**
 * Adds scores up for each environment and miner, and keeps the first so many of these in the order of their bytes, which is
 * that of both databases: what comes after them is not in the answer, however many there are.
 */
export class ScoreTally {
  readonly #most: number;
  #sums = new Map<string, Sum>();

  constructor(most: number) {
    this.#most = most;
  }

  add({ environment, miner, score }: { environment: string; miner: string; score: number }): void {
    // No text here holds a zero: it ends the environment, and is smaller than all that could follow.
    const key = `${environment}\0${miner}`;
    const sum = this.#sums.get(key);
    if (sum) {
      sum.count++;
      sum.sum += score;
      return;
    }
    this.#sums.set(key, { environment, miner, count: 1, sum: score });
    if (this.#sums.size > 2 * this.#most) this.#sums = new Map(this.#first());
  }

  means(): MinerMean[] {
    return this.#first().map(([, { sum, ...of }]) => ({ ...of, mean: sum / of.count }));
  }

  #first(): [string, Sum][] {
    const inBytes = [...this.#sums].map((entry) => ({ entry, bytes: Buffer.from(entry[0]) }));
    const ordered = inBytes.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    return ordered.slice(0, this.#most).map(({ entry }) => entry);
  }
}
