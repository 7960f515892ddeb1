/** Entries in a block before it is cut in two: small enough that moving one costs less than finding its place. */
const BLOCK_SIZE = 1024;

/**
 * A sorted list for millions of entries: an array of short arrays. Inserting moves half a block at most, where one long
 * array would move half the list. No two entries may compare as equal.
 */
export class SortedBlocks<T> {
  readonly #compare: (a: T, b: T) => number;
  /** Never holds an empty block. */
  readonly #blocks: T[][] = [];
  #size = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#blocks[0]?.[0];
  }

  insert(entry: T): void {
    const at = Math.min(this.#blockOf(entry), Math.max(0, this.#blocks.length - 1));
    const block = this.#blocks[at];
    this.#size++;
    if (!block) {
      this.#blocks.push([entry]);
      return;
    }
    block.splice(this.#placeIn(block, entry), 0, entry);
    if (block.length > BLOCK_SIZE) this.#blocks.splice(at + 1, 0, block.splice(BLOCK_SIZE / 2));
  }

  /** Takes the first entry out. */
  shift(): T | undefined {
    const [block] = this.#blocks;
    const entry = block?.shift();
    if (!block || entry === undefined) return undefined;
    this.#size--;
    if (block.length === 0) this.#blocks.shift();
    return entry;
  }

  /** Takes an entry out; false when it is not there. */
  remove(entry: T): boolean {
    const at = this.#blockOf(entry);
    const block = this.#blocks[at];
    const place = block ? this.#placeIn(block, entry) : 0;
    if (!block || block[place] !== entry) return false;
    block.splice(place, 1);
    this.#size--;
    if (block.length === 0) this.#blocks.splice(at, 1);
    return true;
  }

  /** How many entries come before this one. */
  rank(entry: T): number {
    const at = this.#blockOf(entry);
    let before = 0;
    for (let index = 0; index < at; index++) before += this.#blocks[index]?.length ?? 0;
    const block = this.#blocks[at];
    return before + (block ? this.#placeIn(block, entry) : 0);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const block of this.#blocks) yield* block;
  }

  /** First block whose last entry is not before this one; the number of blocks when there is none. */
  #blockOf(entry: T): number {
    return firstIndex(this.#blocks.length, (index) => {
      const last = this.#blocks[index]?.at(-1);
      return last !== undefined && this.#compare(last, entry) >= 0;
    });
  }

  #placeIn(block: T[], entry: T): number {
    return firstIndex(block.length, (index) => {
      const other = block[index];
      return other !== undefined && this.#compare(other, entry) >= 0;
    });
  }
}

/** Binary search: the first index of `length` for which `holds` is true, given that it stays true from there on. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
