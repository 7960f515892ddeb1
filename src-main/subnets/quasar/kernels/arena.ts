import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { ARENA_PAGES, PAGE_BYTES } from './limits.ts';

export const ARENA_BYTES = ARENA_PAGES * PAGE_BYTES;
/** Buffers begin where a vector of 128 bits may. */
const ALIGNED = 16;
/** Between two buffers lies at least one vector, and at most so many bytes. */
const MOST_GAP = 4_096;
const FLOAT_BYTES = 4;

/** What a kernel is given and what it fills. A second state is another head’s, which a call must leave alone. */
const INPUTS = ['q', 'k', 'v', 'g'] as const;
export type Input = (typeof INPUTS)[number];
export type BufferName = Input | 'out' | 'state' | 'otherState';

/** Where the buffers of a series of calls lie, in an image of the arena that the judge keeps for itself. */
export class Arena {
  /** As a kernel’s arena has to look. What lies between buffers is there to be seen if it changes. */
  readonly image: Uint8Array<ArrayBuffer>;
  readonly #places: Readonly<Record<BufferName, number>>;
  readonly #floats: Readonly<Record<BufferName, number>>;

  /** @param random draws their order and the gaps between them; the same draws lay them out in the same way */
  constructor(tokens: number, dk: number, dv: number, random: SeededRandom) {
    const [keys, values, state] = [tokens * dk, tokens * dv, dk * dv];
    this.#floats = { q: keys, k: keys, g: keys, v: values, out: values, state, otherState: state };
    this.image = new Uint8Array(ARENA_BYTES);
    // Not a number, as a float: who reads what he was not given sees nothing else.
    this.image.fill(0xff);
    const places: Partial<Record<BufferName, number>> = {};
    const names = Object.keys(this.#floats) as BufferName[];
    let at = 0;
    for (const name of random.sample(names, names.length)) {
      at += ALIGNED * random.between(1, MOST_GAP / ALIGNED);
      places[name] = at;
      at += this.#floats[name] * FLOAT_BYTES;
    }
    this.#places = places as Record<BufferName, number>;
  }

  /** From the arena’s start, in bytes. */
  place(name: BufferName): number {
    return this.#places[name];
  }

  /** A buffer in the image. @param floats how much of it, from its start. Default: all */
  floats(name: BufferName, floats = this.#floats[name]): Float32Array<ArrayBuffer> {
    return new Float32Array(this.image.buffer, this.#places[name], floats);
  }
}
