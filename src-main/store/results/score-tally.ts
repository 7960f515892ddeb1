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
  /** Results that are worth nothing, and those that are worth less. */
  zeros: number;
  negatives: number;
  /** When the first of them came about, Unix milliseconds; from the database: when the miner’s first result ever did, in whatever environment. */
  since: number;
  /** Since which block the miner is on its subnet, by the earliest that a result tells; null for those that are on none. */
  block: number | null;
}

/** A score, with the number of its result. */
export interface CountedScore extends AskedIn {
  id: number;
  miner: string;
  score: number;
  /** Unix milliseconds. */
  at: number;
  block: number | null;
}

/** Scores that were added up: how many, their sum and that of their squares, how many are 0 or less than that, the first moment and the earliest block. */
export interface PartOfMean {
  count: number;
  sum: number;
  squares: number;
  zeros: number;
  negatives: number;
  at: number;
  block: number | null;
}

interface Sum extends Omit<MinerMean, 'mean' | 'meanSquare'> {
  sum: number;
  squares: number;
}

/**
 * Adds scores up for each miner, environment, version and level. Where there are more of these than so many, it keeps those of the miners with the most
 * results, each with all of its own: a crowd of names with a few results each cannot hide an environment. What is added of one miner is added
 * before the next one’s.
 */
export class ScoreTally {
  readonly #most: number;
  readonly #of = new Map<string, Map<string, Sum>>();
  #sums = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(of: AskedIn & { miner: string }, { count, sum, squares, zeros, negatives, at, block }: PartOfMean): void {
    const all = this.#sumOf(of, at);
    all.since = Math.min(all.since, at);
    if (block !== null) all.block = Math.min(all.block ?? block, block);
    all.count += count;
    all.sum += sum;
    all.squares += squares;
    all.zeros += zeros;
    all.negatives += negatives;
  }

  /** In the order of environment, miner, version and level, by their bytes. */
  means(): MinerMean[] {
    this.#keep(this.#most);
    const sums = [...this.#of.values()].flatMap((own) => [...own.values()]);
    const keyed = sums.map((sum) => ({
      sum,
      key: Buffer.from([sum.environment, sum.miner, sum.version, sum.level].join('\0')),
    }));
    const ordered = keyed.sort((a, b) => Buffer.compare(a.key, b.key));
    return ordered.map(({ sum: { sum, squares, ...of } }) => ({
      ...of,
      mean: sum / of.count,
      meanSquare: squares / of.count,
    }));
  }

  #sumOf({ environment, miner, version, level }: AskedIn & { miner: string }, at: number): Sum {
    const own = this.#of.get(miner) ?? this.#begin(miner);
    const key = `${environment}\0${version}\0${level}`; // no text here holds a zero
    const known = own.get(key);
    if (known) return known;
    const about = { environment, miner, version, level, since: at, block: null };
    const sum: Sum = { ...about, count: 0, sum: 0, squares: 0, zeros: 0, negatives: 0 };
    own.set(key, sum);
    this.#sums++;
    return sum;
  }

  #begin(miner: string): Map<string, Sum> {
    if (this.#sums > 2 * this.#most) this.#keep(this.#most);
    const own = new Map<string, Sum>();
    this.#of.set(miner, own);
    return own;
  }

  #keep(most: number): void {
    if (this.#sums <= most) return;
    const miners = [...this.#of].map(([miner, own]) => ({ miner, own, count: resultsOf(own) }));
    this.#of.clear();
    this.#sums = 0;
    for (const { miner, own } of miners.sort((a, b) => b.count - a.count)) {
      if (this.#sums + own.size > most) break;
      this.#of.set(miner, own);
      this.#sums += own.size;
    }
  }
}

const resultsOf = (own: ReadonlyMap<string, Sum>) => [...own.values()].reduce((all, { count }) => all + count, 0);
