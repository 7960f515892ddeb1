/** What was asked: answers to another version of an environment, or at another level, say nothing about this one. */
export interface AskedIn {
  environment: string;
  version: string;
  level: string;
}

/**
 * How a miner did in one environment, of one version and at one level. A question that reached it and brought no answer is as wrong as a wrong answer.
 * (Affine counts answers that came alone, and a miner that answers only what is easy to it is the best.) What never reached it is no result.
 */
export interface MinerMean extends AskedIn {
  miner: string;
  /** Results, and the mean of their scores, and of the squares of these. */
  count: number;
  mean: number;
  meanSquare: number;
  /** When the first of them came about, Unix milliseconds; from the database: when the miner’s first result ever did, in whatever environment. */
  since: number;
  /** Since which block the miner is on its subnet, by the earliest that a result tells; null for those that are on none. */
  block: number | null;
}

/** A score, as it is added. */
export interface Score extends AskedIn {
  miner: string;
  score: number;
  /** Unix milliseconds. */
  at: number;
  block: number | null;
}

/** A score with the number of its result. */
export interface CountedScore extends Score {
  id: number;
}

interface Sum extends Omit<MinerMean, 'mean' | 'meanSquare'> {
  sum: number;
  squares: number;
}

/**
 * Adds scores up for each environment, miner, version and level, and keeps the first so many of these in the order of their bytes, which is
 * that of both databases: what comes after them is not in the answer, however many there are.
 */
export class ScoreTally {
  readonly #most: number;
  #sums = new Map<string, Sum>();

  constructor(most: number) {
    this.#most = most;
  }

  add(one: Score): void {
    const { score, at, block } = one;
    const sum = this.#sumOf(one);
    sum.since = Math.min(sum.since, at);
    if (block !== null) sum.block = Math.min(sum.block ?? block, block);
    sum.count++;
    sum.sum += score;
    sum.squares += score ** 2;
  }

  means(): MinerMean[] {
    return this.#first().map(([, { sum, squares, ...of }]) => ({
      ...of,
      mean: sum / of.count,
      meanSquare: squares / of.count,
    }));
  }

  #sumOf({ environment, miner, version, level, at }: Score): Sum {
    // No text here holds a zero: it ends each of them, and is smaller than all that could follow.
    const key = `${environment}\0${miner}\0${version}\0${level}`;
    const known = this.#sums.get(key);
    if (known) return known;
    const about = { environment, miner, version, level, since: at, block: null };
    const sum: Sum = { ...about, count: 0, sum: 0, squares: 0 };
    this.#sums.set(key, sum);
    if (this.#sums.size > 2 * this.#most) this.#sums = new Map(this.#first());
    return sum;
  }

  #first(): [string, Sum][] {
    const inBytes = [...this.#sums].map((entry) => ({ entry, bytes: Buffer.from(entry[0]) }));
    const ordered = inBytes.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    return ordered.slice(0, this.#most).map(({ entry }) => entry);
  }
}
