import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import { NOUNS, QUALITIES, ROLES, VERBS } from './words.ts';

/** So many times it is drawn anew; then a number makes the difference. */
const TRIES = 8;

/** Names of one code base: none is given twice. */
export class Names {
  readonly #random: SeededRandom;
  readonly #taken = new Set<string>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** `settle_early_voucher` */
  function(): string {
    return this.#fresh(() => `${this.#pick(VERBS)}_${this.#pick(QUALITIES)}_${this.#pick(NOUNS)}`);
  }

  /** `EarlyVoucherDesk` */
  class(): string {
    return this.#fresh(() => [QUALITIES, NOUNS, ROLES].map((words) => capital(this.#pick(words))).join(''));
  }

  /** `voucher_desk` */
  module(): string {
    return this.#fresh(() => `${this.#pick(NOUNS)}_${this.#pick(ROLES)}`);
  }

  /** `vouchers`, and now and then a plural that is none. */
  package(): string {
    return this.#fresh(() => this.#pick(NOUNS).replace(/y$/, 'ie').concat('s'));
  }

  #fresh(draw: () => string): string {
    let name = draw();
    for (let tries = 1; tries < TRIES && this.#taken.has(name); tries++) name = draw();
    if (this.#taken.has(name)) name = `${name}_${this.#taken.size}`;
    this.#taken.add(name);
    return name;
  }

  #pick(words: readonly string[]): string {
    return this.#random.pick(words);
  }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
