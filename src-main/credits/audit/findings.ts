import { type Saying, say } from '../../../src-preload/contract/saying.ts';

/** What an audit found wrong, for a person; the first hundred, and how many more there are. */
export class Findings {
  readonly #limit: number;
  readonly #problems: Saying[] = [];
  #more = 0;

  constructor(limit = 100) {
    this.#limit = limit;
  }

  add(problem: Saying): void {
    if (this.#problems.length < this.#limit) this.#problems.push(problem);
    else this.#more++;
  }

  list(): Saying[] {
    return this.#more > 0 ? [...this.#problems, say('ledger.more', { more: this.#more })] : [...this.#problems];
  }
}
