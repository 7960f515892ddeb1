import { type Cipheriv, createCipheriv } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';

const BLOCK = 1_024;
const ZEROS = Buffer.alloc(BLOCK);
/** Draws have 32 bits. */
const DRAWS = 2 ** 32;

/**
 * Draws that follow from a seed, the same on every machine and for ever: the key stream of AES-256 in counter mode. Miners see what was drawn for
 * their prompt, and must not be able to reckon from it what else was: a generator that is only even, and not a cipher, would give that away.
 */
export class SeededRandom {
  readonly #cipher: Cipheriv;
  #block = Buffer.alloc(0);
  #at = 0;

  /** @param seed any text */
  constructor(seed: string) {
    const key = sha256(seed);
    this.#cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  }

  /** A whole number from 0, each as likely as the others. @param count 1 to 2^32 */
  below(count: number): number {
    const fair = DRAWS - (DRAWS % count); // what is above would make the small ones likelier
    let drawn = this.#draw();
    while (drawn >= fair) drawn = this.#draw();
    return drawn % count;
  }

  /** A whole number; both ends are possible. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  coin(): boolean {
    return this.below(2) === 1;
  }

  /** One of several. @throws RangeError where there is none */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[this.below(items.length)] as Item;
  }

  /** Some of several, no place twice, in the order in which they were drawn. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: count }, () => {
      const at = this.below(left.length);
      return left.splice(at, 1)[0] as Item;
    });
  }

  #draw(): number {
    if (this.#at === this.#block.length) {
      this.#block = this.#cipher.update(ZEROS);
      this.#at = 0;
    }
    const drawn = this.#block.readUInt32LE(this.#at);
    this.#at += 4;
    return drawn;
  }
}
