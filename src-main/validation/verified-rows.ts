/** What is kept of a result that was verified: prints of the columns that count, and of what was signed. */
export interface Prints {
  columns: bigint;
  signed: bigint;
}

/** Each remembers 3,584 results at most: three and a half million together. */
const SHELVES = 1_024;
/** Places of a shelf: 24 bytes each, 96 MiB together. */
const [FIRST_PLACES, MOST_PLACES] = [64, 4_096];
/** So much of a shelf is full at most, as looking for a number that is not there ends at an empty place. */
const MOST_FULL = 7 / 8;
/** So much of a full shelf is kept. */
const KEPT = 3 / 4;

/** Of a shelf so many are remembered at most. */
export const MOST_OF_A_SHELF = MOST_PLACES * MOST_FULL;

/**
 * Which results were verified, by their numbers: three and a half million at most, however many of other validators lie between them. Where there are more, the
 * newest are kept, and older ones are not taken any more: they are verified anew each time.
 */
export class VerifiedRows {
  readonly #shelves: readonly Shelf[];

  /** @param shelves that results are spread over, by a hash of their numbers: each grows and forgets by itself, so that neither takes long */
  constructor(shelves = SHELVES) {
    this.#shelves = Array.from({ length: shelves }, () => new Shelf());
  }

  /** Undefined where it was not verified, or is forgotten. @param id 0 to 2^53 − 1 */
  get(id: number): Prints | undefined {
    return this.#shelfOf(id)?.get(id);
  }

  set(id: number, prints: Prints): void {
    this.#shelfOf(id)?.set(id, prints);
  }

  #shelfOf(id: number): Shelf | undefined {
    return this.#shelves[mix(id) % this.#shelves.length];
  }
}

/** A table with open addresses. A number is kept one higher: 0 is an empty place. */
class Shelf {
  #ids = new Float64Array(FIRST_PLACES);
  #prints = new BigUint64Array(2 * FIRST_PLACES);
  #size = 0;
  /** Lower numbers are not taken. */
  #least = 0;

  get(id: number): Prints | undefined {
    const at = this.#place(id);
    return this.#ids[at] === 0 ? undefined : this.#printsAt(at);
  }

  set(id: number, { columns, signed }: Prints): void {
    if (id < this.#least) return;
    const at = this.#place(id);
    if (this.#ids[at] === 0) this.#size++;
    this.#ids[at] = id + 1;
    this.#prints[2 * at] = columns;
    this.#prints[2 * at + 1] = signed;
    if (this.#size < this.#ids.length * MOST_FULL) return;
    if (this.#ids.length === MOST_PLACES) this.#forget();
    else this.#refill(2 * this.#ids.length);
  }

  /** Where it is, or would be. */
  #place(id: number): number {
    const last = this.#ids.length - 1;
    let at = (mix(id) >>> 16) & last; // a shelf has its numbers by the other end
    while (this.#ids[at] !== 0 && this.#ids[at] !== id + 1) at = (at + 1) & last;
    return at;
  }

  #printsAt(at: number): Prints {
    return { columns: this.#prints[2 * at] ?? 0n, signed: this.#prints[2 * at + 1] ?? 0n };
  }

  /** The oldest. */
  #forget(): void {
    const ids = this.#ids.filter((one) => one !== 0).sort();
    this.#least = (ids[Math.ceil(ids.length * (1 - KEPT))] ?? 1) - 1;
    this.#refill(MOST_PLACES);
  }

  #refill(places: number): void {
    const old = { ids: this.#ids, prints: this.#prints };
    this.#ids = new Float64Array(places);
    this.#prints = new BigUint64Array(2 * places);
    this.#size = 0;
    old.ids.forEach((one, at) => {
      if (one === 0) return;
      const [columns = 0n, signed = 0n] = old.prints.subarray(2 * at, 2 * at + 2);
      this.set(one - 1, { columns, signed });
    });
  }
}

/** Spreads numbers that lie beside each other, or so many apart, over 32 bits (MurmurHash3, its last step). */
function mix(id: number): number {
  let mixed = (id ^ Math.floor(id / 2 ** 32)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
