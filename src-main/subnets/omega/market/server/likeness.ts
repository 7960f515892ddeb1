import type { Slices } from '../../../../base/slices.ts';
import { LEAST, SHARE } from '../../focus/rules/copy.ts';
import { difference, type PictureChanges, picturesOf, SAME_BITS } from '../../focus/rules/picture-changes.ts';

/** Of the changes of each of two that show the same from beginning to end. */
const WHOLE = 0.8;
/** How much shorter the shorter one of them may be. */
const LENGTH = 0.9;
/** Two pictures that are the same, up to {@link SAME_BITS} apart, have a quarter of their bits of which one differs at most. */
const QUARTERS = 4;
const KEYS = 1 << 16;
/** What a key of such a quarter may differ by. */
const NEAR = [0, ...Array.from({ length: 16 }, (_, bit) => 1 << bit)];

/** How long one of two may take for a second of the other, from 15 % faster to 15 % slower: so near each other that at the right one an hour and a half is about as long. */
const SPEEDS = Array.from({ length: 331 }, (_, step) => 0.85 + step / 1_000);
/** What is shown more often than so says nothing of how fast a video runs. */
const MOST_SHOWN = 3;

/** How a video looks from second to second: 16 hex; null where nothing is to be said. */
export type Pictures = readonly (string | null)[];

/** What two videos have to do with each other. */
export interface Likeness {
  /** Changes of the picture that they have in common. */
  common: number;
  /** One is a copy of a good part of the other. */
  isCopy: boolean;
  /** A good part of the own one is in the other. */
  isPart: boolean;
  /** All of both, as good as: neither is worth more than the other. */
  isSame: boolean;
}

/** How a video looks, with all of its changes ready to be looked up. */
export class Looks {
  readonly #seconds: number;
  readonly #changes: PictureChanges;
  /** The first change with each key of each quarter; after each change the next with the same key. -1: none. */
  readonly #first = new Int32Array(QUARTERS * KEYS).fill(-1);
  readonly #next: Int32Array;

  constructor(pictures: Pictures) {
    this.#seconds = pictures.length;
    this.#changes = changesOf(pictures);
    const { high, low } = this.#changes;
    this.#next = new Int32Array(QUARTERS * this.count);
    for (let change = 0; change < this.count; change++) {
      for (let quarter = 0; quarter < QUARTERS; quarter++) {
        const slot = quarter * KEYS + bitsOf(quarter, high[change] ?? 0, low[change] ?? 0);
        this.#next[quarter * this.count + change] = this.#first[slot] ?? -1;
        this.#first[slot] = change;
      }
    }
  }

  /** Of its changes. */
  get count(): number {
    return this.#changes.at.length;
  }

  /** Gives way to others where it takes longer. */
  async to(pictures: Pictures, slices: Slices): Promise<Likeness> {
    const other = changesOf(pictures);
    const [own, others] = [this.count, other.at.length];
    const found = await this.#inCommon(other, slices);
    const common = found.common || (found.pairs < LEAST ? 0 : await this.#atOtherSpeed(other, slices));
    const isCopy = common >= LEAST && common >= SHARE * Math.min(own, others);
    const isAsLong = Math.min(this.#seconds, pictures.length) >= LENGTH * Math.max(this.#seconds, pictures.length);
    return {
      common,
      isCopy,
      isPart: isCopy && common >= SHARE * own,
      isSame: isCopy && isAsLong && common >= WHOLE * Math.max(own, others),
    };
  }

  /** As by the rule `copy`, without a limit: changes that are the same at one distance from each other, each once; 0 where they are too few for a copy. With how many are the same at any. */
  async #inCommon(other: PictureChanges, slices: Slices): Promise<{ common: number; pairs: number }> {
    const before = other.at.at(-1) ?? 0;
    const votes = new Int32Array(before + (this.#changes.at.at(-1) ?? 0) + 2);
    let pairs = 0;
    await this.#eachSame(other, slices, (own, others) => {
      pairs++;
      const shift = (this.#changes.at[own] ?? 0) - (other.at[others] ?? 0) + before;
      votes[shift] = (votes[shift] ?? 0) + 1;
    });
    const { best, most } = mostOfTwo(votes);
    if (most < LEAST || most < SHARE * Math.min(this.count, other.at.length)) return { common: 0, pairs }; // as most are
    const [ownOnes, otherOnes] = [new Set<number>(), new Set<number>()];
    await this.#eachSame(other, slices, (own, others) => {
      const shift = (this.#changes.at[own] ?? 0) - (other.at[others] ?? 0) + before;
      if (shift !== best && shift !== best + 1) return;
      ownOnes.add(own);
      otherOnes.add(others);
    });
    return { common: Math.min(ownOnes.size, otherOnes.size), pairs };
  }

  /** What is found at none, as most is, costs little: its rare pictures are others. */
  async #atOtherSpeed(other: PictureChanges, slices: Slices): Promise<number> {
    const least = Math.max(LEAST, SHARE * Math.min(this.count, other.at.length));
    const pairs = await this.#rarePairs(other, slices);
    let most = 0;
    for (const speed of pairs.length < least ? [] : SPEEDS) {
      if (slices.isOver) await slices.next();
      most = Math.max(most, inStep(pairs, speed));
    }
    return most < least ? 0 : most;
  }

  /** When both show the same, of what the own one shows a few times at most: seconds. */
  async #rarePairs(other: PictureChanges, slices: Slices): Promise<Pair[]> {
    const pairs = Array.from(other.at, (): Pair[] => []);
    await this.#eachSame(other, slices, (own, others) => {
      const here = pairs[others];
      if (here && here.length <= MOST_SHOWN) here.push([this.#changes.at[own] ?? 0, other.at[others] ?? 0]);
    });
    return pairs.flatMap((here) => (here.length > MOST_SHOWN ? [] : here));
  }

  async #eachSame(
    { high, low }: PictureChanges,
    slices: Slices,
    found: (own: number, other: number) => void,
  ): Promise<void> {
    for (let other = 0; other < high.length; other++) {
      if (slices.isOver) await slices.next();
      this.#eachLike(high[other] ?? 0, low[other] ?? 0, (own) => found(own, other));
    }
  }

  #eachLike(high: number, low: number, found: (own: number) => void): void {
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      const key = bitsOf(quarter, high, low);
      for (const near of NEAR) {
        let own = this.#first[quarter * KEYS + (key ^ near)] ?? -1;
        for (; own !== -1; own = this.#next[quarter * this.count + own] ?? -1) {
          const [ownHigh, ownLow] = [this.#changes.high[own] ?? 0, this.#changes.low[own] ?? 0];
          if (isFoundBefore(quarter, high ^ ownHigh, low ^ ownLow)) continue;
          if (difference(high, low, ownHigh, ownLow) <= SAME_BITS) found(own);
        }
      }
    }
  }
}

const changesOf = (pictures: Pictures) =>
  picturesOf(
    pictures.map((picture) => ({ picture })),
    pictures.length,
  );

type Pair = readonly [own: number, other: number];

/** How many changes are the same at one distance, when the other one runs so fast: each once. */
function inStep(pairs: readonly Pair[], speed: number): number {
  const shifts = pairs.map(([own, other]) => own - Math.round(other * speed));
  const least = shifts.reduce((all, shift) => Math.min(all, shift), 0);
  const votes = new Int32Array(shifts.reduce((all, shift) => Math.max(all, shift), 0) - least + 2);
  for (const shift of shifts) votes[shift - least] = (votes[shift - least] ?? 0) + 1;
  const best = mostOfTwo(votes).best + least;
  const there = pairs.filter((_, index) => shifts[index] === best || shifts[index] === best + 1);
  return Math.min(new Set(there.map(([own]) => own)).size, new Set(there.map(([, other]) => other)).size);
}

/** A second of the one may begin amid a second of the other. @returns where the most are together with those right after, and how many */
function mostOfTwo(votes: Int32Array): { best: number; most: number } {
  let [best, most] = [0, 0];
  for (let shift = 0; shift < votes.length; shift++) {
    const both = (votes[shift] ?? 0) + (votes[shift + 1] ?? 0);
    if (both > most) [best, most] = [shift, both];
  }
  return { best, most };
}

function bitsOf(quarter: number, high: number, low: number): number {
  return ((quarter < 2 ? high : low) >>> (quarter % 2 === 0 ? 16 : 0)) & 0xffff;
}

/** By a quarter before this one, of which one bit differs at most, too. */
function isFoundBefore(quarter: number, high: number, low: number): boolean {
  for (let before = 0; before < quarter; before++) {
    const bits = bitsOf(before, high, low);
    if ((bits & (bits - 1)) === 0) return true;
  }
  return false;
}
