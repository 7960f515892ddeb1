/** The best of many rows, the best first; of equals, those whose ids come first. */
export class Best {
  readonly #most: number;
  readonly #isBefore: (row: number, other: number) => boolean;
  readonly rows: number[] = [];
  readonly scores: number[] = [];

  /** @param isBefore of two rows that are worth the same, which comes first */
  constructor(most: number, isBefore: (row: number, other: number) => boolean) {
    this.#most = most;
    this.#isBefore = isBefore;
  }

  /** What is worth less has no place. */
  get least(): number {
    return this.rows.length < this.#most ? Number.NEGATIVE_INFINITY : (this.scores.at(-1) as number);
  }

  /** Few of many rows come so far: each is put in its place. */
  offer(row: number, score: number): void {
    let at = this.rows.length;
    while (at > 0 && this.#goesBefore(row, score, at - 1)) at--;
    if (at >= this.#most) return;
    this.rows.splice(at, 0, row);
    this.scores.splice(at, 0, score);
    this.rows.length = this.scores.length = Math.min(this.rows.length, this.#most);
  }

  #goesBefore(row: number, score: number, at: number): boolean {
    const other = this.scores[at] as number;
    return score > other || (score === other && this.#isBefore(row, this.rows[at] as number));
  }
}
