import { ones } from '../../base/ones.ts';
import type { Slices } from '../../base/slices.ts';
import {
  type Comparison,
  compareMeans,
  compareRanges,
  compareSpeeds,
  counted,
  NO_RESULTS,
  rangeOf,
  type Sample,
} from './comparison.ts';
import type { DominancePreset } from './presets.ts';

/** A miner as it is compared with others. */
export interface Contender {
  miner: string;
  /** Since when it is there: the block in which it committed to its model, or was registered on its subnet, or the moment of its first result; of those that are as good the first one wins. */
  since: number;
  /** Who committed to the same model before it: it takes no part then. Default: nobody. */
  copyOf?: string | null;
  /** By environment. */
  samples: ReadonlyMap<string, Sample>;
}

/** Of each two, in each environment: whether one is not worse, is better, or is as good; as bits, 32 others in a number. */
class Relations {
  readonly #words: number;
  readonly #environments: number;
  readonly #bits: Int32Array;
  /** Who was there earlier. */
  readonly #earlier: Int32Array;

  constructor(contenders: number, environments: number) {
    this.#words = Math.ceil(contenders / WORD);
    this.#environments = environments;
    this.#bits = new Int32Array(contenders * this.#words * environments * KINDS);
    this.#earlier = new Int32Array(contenders * this.#words);
  }

  note(at: number, other: number, { notWorse, better, even }: Comparison, isEarlier: boolean): void {
    const word = at * this.#words + Math.floor(other / WORD);
    const bit = 1 << (other % WORD);
    if (isEarlier) this.#earlier[word] = (this.#earlier[word] ?? 0) | bit;
    for (let environment = 0; environment < this.#environments; environment++) {
      const from = (word * this.#environments + environment) * KINDS;
      const here = 1 << environment;
      if (notWorse & here) this.#bits[from] = (this.#bits[from] ?? 0) | bit;
      if (better & here) this.#bits[from + 1] = (this.#bits[from + 1] ?? 0) | bit;
      if (even & here) this.#bits[from + 2] = (this.#bits[from + 2] ?? 0) | bit;
    }
  }

  /** How many others one dominates on a set, or is dominated by. */
  count(at: number, set: number): number {
    let count = 0;
    for (let word = 0; word < this.#words; word++) count += ones(this.#of(at * this.#words + word, set));
    return count;
  }

  some(at: number, set: number): boolean {
    for (let word = 0; word < this.#words; word++) if (this.#of(at * this.#words + word, set) !== 0) return true;
    return false;
  }

  /** As `dominates` in comparison.ts, of 32 pairs at once: worse in none and better in one, or as good in all and there earlier. */
  #of(word: number, set: number): number {
    let notWorse = -1;
    let better = 0;
    let even = this.#earlier[word] ?? 0;
    let from = word * this.#environments * KINDS;
    for (let left = set; left !== 0; left >>>= 1, from += KINDS) {
      if ((left & 1) === 0) continue;
      notWorse &= this.#bits[from] ?? 0;
      better |= this.#bits[from + 1] ?? 0;
      even &= this.#bits[from + 2] ?? 0;
    }
    return (notWorse & better) | even;
  }
}

const WORD = 32;
const KINDS = 3;

/** How one compares with another, by their places. */
type Compare = (at: number, other: number) => Comparison;

/** Those who take part, each compared with each other once. Sets of environments are bits. */
export class Field {
  readonly contenders: readonly Contender[];
  readonly environments: readonly string[];
  readonly #samples: Sample[][];
  /** Of each whom it dominates, and who dominates it. */
  readonly #over: Relations;
  readonly #under: Relations;

  private constructor(contenders: readonly Contender[], environments: readonly string[], preset: DominancePreset) {
    this.contenders = contenders;
    this.environments = environments;
    this.#samples = contenders.map(({ samples }) =>
      environments.map((name) => counted(samples.get(name) ?? NO_RESULTS, preset)),
    );
    this.#over = new Relations(contenders.length, environments.length);
    this.#under = new Relations(contenders.length, environments.length);
  }

  /** With turns for others in between: each is compared with each. */
  static async of(
    contenders: readonly Contender[],
    environments: readonly string[],
    { preset, slices }: { preset: DominancePreset; slices: Slices },
  ): Promise<Field> {
    const field = new Field(contenders, environments, preset);
    await field.#compareAll(await field.#comparing(preset, slices), slices);
    return field;
  }

  async #comparing(preset: DominancePreset, slices: Slices): Promise<Compare> {
    if (preset.compares === 'means') return (at, other) => compareMeans(this.#of(at), this.#of(other), preset);
    if (preset.compares === 'speeds') return (at, other) => compareSpeeds(this.#of(at), this.#of(other), preset);
    const ranges = await slices.map(this.#samples, (own) => own.map((sample) => rangeOf(sample, preset)));
    const { least } = preset;
    return (at, other) =>
      compareRanges(ranges[at] ?? [], ranges[other] ?? [], { ahead: this.#ahead(at, other), least });
  }

  async #compareAll(compare: Compare, slices: Slices): Promise<void> {
    const count = this.contenders.length;
    for (let at = 0; at < count; at++) {
      for (let other = 0; other < count; other++) if (other !== at) this.#compare(at, other, compare);
      if (slices.isOver) await slices.next();
    }
  }

  #compare(at: number, other: number, compare: Compare): void {
    const comparison = compare(at, other);
    const isEarlier = this.#ahead(at, other) > 0;
    this.#over.note(at, other, comparison, isEarlier);
    this.#under.note(other, at, comparison, isEarlier);
  }

  #of(at: number): readonly Sample[] {
    return this.#samples[at] ?? [];
  }

  /** How much later another one came: below 0, it was there first. */
  #ahead(at: number, other: number): number {
    return (this.contenders[other]?.since ?? 0) - (this.contenders[at]?.since ?? 0);
  }

  /** How many others one of them dominates. */
  dominated(at: number, set: number): number {
    return this.#over.count(at, set);
  }

  /** Whether none of the others dominates one of them. */
  isFree(at: number, set: number): boolean {
    return !this.#under.some(at, set);
  }

  mean(at: number, set: number): number {
    const within = this.#means(at, set);
    return within.reduce((sum, mean) => sum + mean, 0) / within.length;
  }

  /** 0 where one of the means is 0. */
  geometricMean(at: number, set: number): number {
    const within = this.#means(at, set);
    return within.reduce((product, mean) => product * Math.min(1, Math.max(0, mean)), 1) ** (1 / within.length);
  }

  #means(at: number, set: number): number[] {
    const means: number[] = [];
    const samples = this.#of(at);
    for (let environment = 0; environment < samples.length; environment++)
      if (set & (1 << environment)) means.push(samples[environment]?.mean ?? 0);
    return means;
  }
}
