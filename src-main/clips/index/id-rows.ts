const FIRST_ROWS = 1_024;

/**
 * Which row an id has, and which id a row: ids are whole numbers. Some twenty bytes a row, where a Map takes three times as much: of five million rows that counts.
 * Rows are numbered from 0 without a gap.
 */
export class IdRows {
  #ids = new Float64Array(FIRST_ROWS);
  /** By the hash of their ids, each at the first free place from there: row + 1, 0 where there is none. Never more than half full. */
  #slots = new Uint32Array(2 * FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  rowOf(id: number): number | undefined {
    const row = (this.#slots[this.#slotOf(id)] as number) - 1;
    return row < 0 ? undefined : row;
  }

  idOf(row: number): number {
    return this.#ids[row] as number;
  }

  /** @param id has no row yet @returns its row, the last */
  append(id: number): number {
    if (this.#count === this.#ids.length) this.#grow();
    const row = this.#count++;
    this.#ids[row] = id;
    this.#slots[this.#slotOf(id)] = row + 1;
    return row;
  }

  /** The last row takes its number. */
  remove(row: number): void {
    this.#free(this.#slotOf(this.idOf(row)));
    const last = --this.#count;
    if (row === last) return;
    const id = this.idOf(last);
    this.#slots[this.#slotOf(id)] = row + 1;
    this.#ids[row] = id;
  }

  /** Where it is, or would be. */
  #slotOf(id: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash(id) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#slots[slot] as number) - 1;
      if (row < 0 || this.#ids[row] === id) return slot;
    }
  }

  /** Those behind it move up, as far as that brings them no further from their beginning (Knuth, 6.4, algorithm R). */
  #free(slot: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let free = slot;
    for (let next = (free + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const wanted = hash(this.idOf((slots[next] as number) - 1)) & mask;
      if (((next - wanted) & mask) < ((next - free) & mask)) continue;
      slots[free] = slots[next] as number;
      free = next;
    }
    slots[free] = 0;
  }

  #grow(): void {
    const ids = new Float64Array(this.#ids.length * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let row = 0; row < this.#count; row++) this.#slots[this.#slotOf(this.idOf(row))] = row + 1;
  }
}

/** Also numbers that follow each other, or are multiples of one, are spread. */
function hash(id: number): number {
  const mixed = Math.imul(id ^ (id / 2 ** 32), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
