import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { LANES, type Scan, scanOver } from './scan-kernel.ts';

const PAGE_BYTES = 65_536;
/** The memory grows by so many rows; as many are read from the file at once. */
const ROWS_AT_ONCE = 2_048;
/** Rows that are held against every query before the next: they stay in the processor's cache meanwhile (1 MB with 512 numbers each). */
const ROWS_OF_A_STRETCH = 512;
/** More are asked one group after the other. */
const QUERIES_AT_ONCE = 16;

/** What may be taken of the memory by all rows together. */
export interface MemoryBudget {
  left: number;
}

/** What is told of a stretch of rows beside one query. @param scores of the rows from `from` on */
export type OnScores = (query: number, from: number, scores: Float32Array) => void;

/**
 * Rows of numbers, of length 1, by their number: in memory as far as that goes, and the rest in a file, which is read from end to end for each question.
 * Nothing of it outlives the process.
 */
export class RowSpace {
  readonly #dimensions: number;
  /** With those that fill up a row. */
  readonly #width: number;
  readonly #budget: MemoryBudget;
  readonly #path: string;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  readonly #scoresAt: number;
  readonly #readAt: number;
  readonly #rowsAt: number;
  /** Rows that have room in memory. */
  #inMemory = 0;
  #isFull = false;
  #file: number | undefined;

  /** @param path of the file; nothing is there before it is needed */
  constructor(dimensions: number, budget: MemoryBudget, path: string) {
    this.#dimensions = dimensions;
    this.#width = Math.ceil(dimensions / LANES) * LANES;
    this.#budget = budget;
    this.#path = path;
    this.#scoresAt = QUERIES_AT_ONCE * this.#rowBytes;
    this.#readAt = this.#scoresAt + ROWS_OF_A_STRETCH * Float32Array.BYTES_PER_ELEMENT;
    this.#rowsAt = this.#readAt + ROWS_AT_ONCE * this.#rowBytes;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#rowsAt / PAGE_BYTES), maximum: 65_536 });
    this.#scan = scanOver(this.#memory);
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
    this.#file = undefined;
  }

  get #rowBytes(): number {
    return this.#width * Float32Array.BYTES_PER_ELEMENT;
  }

  /** @param row up to one behind the last */
  write(row: number, vector: Float32Array): void {
    if (row >= this.#inMemory && !this.#isFull) this.#grow();
    const unit = this.#unit(vector);
    if (row < this.#inMemory) {
      this.#numbers(this.#rowsAt + row * this.#rowBytes, this.#width).set(unit);
      return;
    }
    this.#file ??= openNew(this.#path);
    writeSync(this.#file, unit, 0, this.#rowBytes, (row - this.#inMemory) * this.#rowBytes);
  }

  /** Writes one row over another. */
  copy(from: number, to: number): void {
    const row = new Float32Array(this.#numbers(this.#fetch(from, 1), this.#width));
    this.write(to, row.subarray(0, this.#dimensions));
  }

  /** Tells of all rows beside all queries. @param count of the rows */
  scan(queries: readonly Float32Array[], count: number, onScores: OnScores): void {
    for (let first = 0; first < queries.length; first += QUERIES_AT_ONCE) {
      const some = queries.slice(first, first + QUERIES_AT_ONCE);
      for (const [at, query] of some.entries()) {
        this.#numbers(at * this.#rowBytes, this.#width).set(this.#unit(query));
      }
      for (let from = 0; from < count; from += ROWS_AT_ONCE) {
        this.#scanRows(some.length, from, Math.min(ROWS_AT_ONCE, count - from), (query, row, scores) =>
          onScores(first + query, row, scores),
        );
      }
    }
  }

  #scanRows(queries: number, from: number, count: number, onScores: OnScores): void {
    const place = this.#fetch(from, count);
    for (let row = 0; row < count; row += ROWS_OF_A_STRETCH) {
      const rows = Math.min(ROWS_OF_A_STRETCH, count - row);
      for (let query = 0; query < queries; query++) {
        this.#scan(place + row * this.#rowBytes, rows, this.#width, query * this.#rowBytes, this.#scoresAt);
        onScores(query, from + row, this.#numbers(this.#scoresAt, rows));
      }
    }
  }

  /** @param count of rows that are all in memory, or all in the file: both have multiples of {@link ROWS_AT_ONCE} @returns where they are in memory now */
  #fetch(row: number, count: number): number {
    if (row < this.#inMemory) return this.#rowsAt + row * this.#rowBytes;
    const into = new Uint8Array(this.#memory.buffer, this.#readAt, count * this.#rowBytes);
    const from = (row - this.#inMemory) * this.#rowBytes;
    for (let read = 0; read < into.length; ) {
      const bytes = readSync(this.#file as number, into, read, into.length - read, from + read);
      if (bytes === 0) throw new Error('The file of the index of clips is shorter than it was.');
      read += bytes;
    }
    return this.#readAt;
  }

  #numbers(place: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, place, count);
  }

  /** Of length 1, filled up with zeros; all zeros for what is no direction. */
  #unit(vector: Float32Array): Float32Array {
    const unit = new Float32Array(this.#width);
    let squares = 0;
    for (const number of vector) squares += number * number;
    const length = Math.sqrt(squares);
    if (!(length > 0) || !Number.isFinite(length)) return unit;
    for (let at = 0; at < this.#dimensions; at++) unit[at] = (vector[at] as number) / length;
    return unit;
  }

  /** By some rows, or never again: what is in the file stays there. */
  #grow(): void {
    const bytes = ROWS_AT_ONCE * this.#rowBytes;
    const needed = this.#rowsAt + (this.#inMemory + ROWS_AT_ONCE) * this.#rowBytes - this.#memory.buffer.byteLength;
    this.#isFull = bytes > this.#budget.left || !grown(this.#memory, Math.ceil(needed / PAGE_BYTES));
    if (this.#isFull) return;
    this.#budget.left -= bytes;
    this.#inMemory += ROWS_AT_ONCE;
  }
}

/** @returns false where there is no more memory */
function grown(memory: WebAssembly.Memory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Readable by its owner only. Where the system lets an open file have no name, it has none: nobody finds it, and a kill leaves nothing. */
function openNew(path: string): number {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx+', 0o600);
  if (process.platform !== 'win32') rmSync(path);
  return file;
}
