/** What the bytes of a module are not as they should be; the text says in what. */
export class NoModule extends Error {}

/** Reads a stretch of a module in WebAssembly’s binary format, from its start to its end; never beyond it. */
export class WasmReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws {@link NoModule} at the end */
  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new NoModule('it ends too early');
    this.#at++;
    return byte;
  }

  /** A whole number below 2^32, as LEB128 of at most five bytes. @throws {@link NoModule} for what is none */
  number(): number {
    let value = 0;
    for (let place = 0; place < 5; place++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw new NoModule('a number in it is too large');
  }

  /** So many bytes from here, as a stretch of their own. @throws {@link NoModule} where there are fewer */
  stretch(length: number): WasmReader {
    return new WasmReader(this.bytes(length));
  }

  /** @throws {@link NoModule} where there are fewer */
  bytes(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new NoModule('it ends too early');
    const from = this.#at;
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }
}
