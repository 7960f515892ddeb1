/** Words of 32 bits of an id. */
const WORDS = 4;
const FIRST_ROWS = 1_024;

/**
 * Which row an id has, and which id a row: ids are 32 hex. Some thirty bytes a row, where a Map of texts takes more than a hundred: of five million rows that is
 * the difference between memory that a node has and memory that it has not. Rows are numbered from 0 without a gap.
 */
export class IdRows {
  #ids = new Uint32Array(FIRST_ROWS * WORDS);
  /** By the hash of their ids, each at the first free place from there: row + 1, 0 where there is none. Never more than half full. */
  #slots = new Uint32Array(2 * FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  rowOf(id: string): number | undefined {
    const row = (this.#slots[this.#slotOf(wordsOf(id))] as number) - 1;
    return row < 0 ? undefined : row;
  }

  idOf(row: number): string {
    const words = this.#wordsOf(row);
    return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  /** @param id has no row yet @returns its row, the last */
  append(id: string): number {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const row = this.#count++;
    const words = wordsOf(id);
    this.#ids.set(words, row * WORDS);
    this.#slots[this.#slotOf(words)] = row + 1;
    return row;
  }

  /** The last row takes its number. */
  remove(row: number): void {
    this.#free(this.#slotOf(this.#wordsOf(row)));
    const last = --this.#count;
    if (row === last) return;
    const words = this.#wordsOf(last);
    this.#slots[this.#slotOf(words)] = row + 1;
    this.#ids.set(words, row * WORDS);
  }

  #wordsOf(row: number): Uint32Array {
    return this.#ids.subarray(row * WORDS, (row + 1) * WORDS);
  }

  /** Where it is, or would be. */
  #slotOf(words: Uint32Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(words) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] as number) - 1;
      if (row < 0 || this.#has(row, words)) return slot;
    }
  }

  #has(row: number, words: Uint32Array): boolean {
    const at = row * WORDS;
    for (let word = 0; word < WORDS; word++) if (this.#ids[at + word] !== words[word]) return false;
    return true;
  }

  /** Those behind it move up, as far as that brings them no further from their beginning (Knuth, 6.4, algorithm R). */
  #free(slot: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let free = slot;
    for (let next = (free + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const wanted = hash(this.#wordsOf((slots[next] as number) - 1)) & mask;
      if (((next - wanted) & mask) < ((next - free) & mask)) continue;
      slots[free] = slots[next] as number;
      free = next;
    }
    slots[free] = 0;
  }

  #grow(): void {
    const ids = new Uint32Array(this.#ids.length * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let row = 0; row < this.#count; row++) this.#slots[this.#slotOf(this.#wordsOf(row))] = row + 1;
  }
}

function wordsOf(id: string): Uint32Array {
  return Uint32Array.from({ length: WORDS }, (_, word) => Number.parseInt(id.slice(8 * word, 8 * word + 8), 16));
}

/** All words count: ids need not be random. */
function hash(words: Uint32Array): number {
  let mixed = 0;
  for (const word of words) mixed = Math.imul(mixed ^ word, 0x9e3779b1) ^ (mixed >>> 15);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
