/** What is kept of a result that was verified: prints of the columns that count, and of what was signed. */
export interface Prints {
  columns: bigint;
  signed: bigint;
}

/** Numbers of results that lie beside each other are kept together: 128 KiB. */
const ROWS_OF_A_PAGE = 8_192;
/** 64 MiB, of the last four million results: older ones are verified anew each time. */
const MOST_PAGES = 512;

/** Which results were verified, by their numbers. These grow with time, so that sixteen bytes are enough for each. */
export class VerifiedRows {
  readonly #pages = new Map<number, BigUint64Array>();

  /** Undefined where it was not verified, or is forgotten. @param id 0 to 2^53 − 1 */
  get(id: number): Prints | undefined {
    const at = 2 * (id % ROWS_OF_A_PAGE);
    const page = this.#pages.get(Math.floor(id / ROWS_OF_A_PAGE));
    const columns = page?.[at] ?? 0n;
    return columns === 0n ? undefined : { columns, signed: page?.[at + 1] ?? 0n };
  }

  set(id: number, { columns, signed }: Prints): void {
    const number = Math.floor(id / ROWS_OF_A_PAGE);
    const page = this.#pages.get(number) ?? new BigUint64Array(2 * ROWS_OF_A_PAGE);
    const at = 2 * (id % ROWS_OF_A_PAGE);
    page[at] = columns;
    page[at + 1] = signed;
    this.#pages.set(number, page);
    if (this.#pages.size > MOST_PAGES) this.#pages.delete(Math.min(...this.#pages.keys()));
  }
}
