import type { ChainReader } from '../chain/chain-reader.ts';

/** Most things that are kept of one block. */
const MOST = 64;

/** What was read of the newest block, kept until there is a newer one: pages ask often, and many at once. */
export class PerBlock<Value> {
  readonly #read: (reader: ChainReader, key: string) => Promise<Value>;
  readonly #kept = new Map<string, Promise<Value>>();
  #block: string | undefined;

  constructor(read: (reader: ChainReader, key: string) => Promise<Value>) {
    this.#read = read;
  }

  /** @param reader of the newest block */
  at(reader: ChainReader, key = ''): Promise<Value> {
    if (reader.block !== this.#block || this.#kept.size >= MOST) this.#kept.clear();
    this.#block = reader.block;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const reading = this.#read(reader, key);
    this.#kept.set(key, reading);
    const forget = () => this.#kept.get(key) === reading && this.#kept.delete(key);
    reading.catch(forget); // whoever asked hears of it; the next one asks again
    return reading;
  }
}
