import {
  type Comparison,
  compareMeans,
  compareRanges,
  dominates,
  NO_RESULTS,
  rangeOf,
  type Sample,
} from './comparison.ts';
import type { IntervalsPreset, MeansPreset, Preset } from './presets.ts';

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

/** Those who take part, each compared with each other once. Sets of environments are bits. */
export class Field {
  readonly contenders: readonly Contender[];
  readonly environments: readonly string[];
  readonly #samples: Sample[][];
  readonly #comparisons: Comparison[][];

  constructor(contenders: readonly Contender[], environments: readonly string[], preset: Preset) {
    this.contenders = contenders;
    this.environments = environments;
    this.#samples = contenders.map(({ samples }) => environments.map((name) => samples.get(name) ?? NO_RESULTS));
    this.#comparisons = preset.compares === 'means' ? this.#byMeans(preset) : this.#byRanges(preset);
  }

  #byMeans(preset: MeansPreset): Comparison[][] {
    return this.#samples.map((ours) => this.#samples.map((theirs) => compareMeans(ours, theirs, preset)));
  }

  #byRanges(preset: IntervalsPreset): Comparison[][] {
    const ranges = this.#samples.map((own) => own.map((sample) => rangeOf(sample, preset)));
    return ranges.map((ours, at) =>
      ranges.map((theirs, other) =>
        compareRanges(ours, theirs, { ahead: this.#ahead(at, other), least: preset.least }),
      ),
    );
  }

  #dominates(at: number, other: number, set: number): boolean {
    const comparison = this.#comparisons[at]?.[other];
    return at !== other && comparison !== undefined && dominates(comparison, this.#ahead(at, other) > 0, set);
  }

  /** How much later another one came: below 0, it was there first. */
  #ahead(at: number, other: number): number {
    return (this.contenders[other]?.since ?? 0) - (this.contenders[at]?.since ?? 0);
  }

  /** How many others one of them dominates. */
  dominated(at: number, set: number): number {
    let count = 0;
    for (let other = 0; other < this.contenders.length; other++) if (this.#dominates(at, other, set)) count++;
    return count;
  }

  /** Whether none of the others dominates one of them. */
  isFree(at: number, set: number): boolean {
    return this.contenders.every((_, other) => !this.#dominates(other, at, set));
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
    return (this.#samples[at] ?? []).filter((_, environment) => set & (1 << environment)).map(({ mean }) => mean);
  }
}
