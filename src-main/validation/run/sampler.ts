/** An environment, and a miner that is asked in it. */
export interface Pair {
  environment: string;
  miner: string;
}

/** Keeps weights finite where there are no results yet (Affine, its runner: EPS). */
const EPSILON = 1e-3;
/** By so much a failure puts a pair back, and an answer brings it forward again (Affine, BACKOFF): in results. */
const BACK_OFF = 10;
/** Whoever fails for days is still asked now and then. */
const MOST_BACK_OFF = 1_000;

/**
 * Chooses whom to ask what (Affine, its runner): environments with few results first, and in them miners with few, those that failed lately later.
 * Both are drawn by chance, so that no miner knows when its turn is.
 */
export class Sampler {
  readonly #random: () => number;
  #counts = new Map<string, Map<string, number>>();
  readonly #counted = new Set<string>();
  /** By miner, and then by environment. */
  readonly #backOff = new Map<string, Map<string, number>>();

  /** @param random 0 ≤ x < 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Takes over how many results there are; what is asked from then on is added to that.
   * @param most of one pair: what is beyond that nobody has asked, and somebody else has written
   */
  takeOver(counts: Iterable<Pair & { count: number }>, most: number): void {
    this.#counts = new Map();
    this.#counted.clear();
    for (const { count, environment, miner } of counts) {
      this.#add({ environment, miner }, Math.min(count, most));
      if (count > 0) this.#counted.add(miner);
    }
  }

  /** @returns undefined where there is nothing to choose from */
  pick(environments: readonly string[], miners: readonly string[]): Pair | undefined {
    const environment = this.#draw(environments, (name) => 1 / (this.#all(name) + 1));
    if (environment === undefined) return undefined;
    const mean = this.#all(environment) / (miners.length + EPSILON);
    const weight = (miner: string) =>
      (mean + EPSILON) / (this.#count({ environment, miner }) + this.backOff({ environment, miner }) + EPSILON);
    const miner = this.#draw(miners, weight);
    return miner === undefined ? undefined : { environment, miner };
  }

  /** Whether there are results of a miner, as far as they were counted. */
  hasResults(miner: string): boolean {
    return this.#counted.has(miner);
  }

  asked(pair: Pair): void {
    this.#add(pair, 1);
  }

  answered(pair: Pair): void {
    this.#shift(pair, -BACK_OFF);
  }

  failed(pair: Pair): void {
    this.#shift(pair, BACK_OFF);
  }

  /** As if it had so many results more. */
  backOff({ environment, miner }: Pair): number {
    return this.#backOff.get(miner)?.get(environment) ?? 0;
  }

  /** Forgets how those did who are gone. */
  keepOnly(there: ReadonlySet<string>): void {
    for (const miner of this.#backOff.keys()) if (!there.has(miner)) this.#backOff.delete(miner);
  }

  #shift(pair: Pair, by: number): void {
    const back = Math.min(MOST_BACK_OFF, Math.max(0, this.backOff(pair) + by));
    const { environment, miner } = pair;
    const own = this.#backOff.get(miner) ?? new Map<string, number>();
    if (back === 0) own.delete(environment);
    else own.set(environment, back);
    if (own.size === 0) this.#backOff.delete(miner);
    else this.#backOff.set(miner, own);
  }

  #add({ environment, miner }: Pair, count: number): void {
    const own = this.#counts.get(environment) ?? new Map<string, number>();
    own.set(miner, (own.get(miner) ?? 0) + count);
    this.#counts.set(environment, own);
  }

  #count({ environment, miner }: Pair): number {
    return this.#counts.get(environment)?.get(miner) ?? 0;
  }

  #all(environment: string): number {
    let all = 0;
    for (const count of this.#counts.get(environment)?.values() ?? []) all += count;
    return all;
  }

  #draw<T>(from: readonly T[], weightOf: (one: T) => number): T | undefined {
    const weights = from.map(weightOf);
    let left = this.#random() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [at, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return from[at];
    }
    return from.at(-1);
  }
}
