/** What an audit found wrong, as sentences for a person; the first hundred, and how many more there are. */
export class Findings {
  readonly #limit: number;
  readonly #problems: string[] = [];
  #more = 0;

  constructor(limit = 100) {
    this.#limit = limit;
  }

  add(problem: string): void {
    if (this.#problems.length < this.#limit) this.#problems.push(problem);
    else this.#more++;
  }

  list(): string[] {
    return this.#more > 0 ? [...this.#problems, `… and ${this.#more} more`] : [...this.#problems];
  }
}
