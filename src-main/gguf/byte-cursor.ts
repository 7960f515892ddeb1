import { say } from '../../src-preload/contract/saying.ts';
import { GgufError } from './gguf-error.ts';

/** Bytes that can be read from any place; no more than `size` of them. */
export interface GgufSource {
  size: number;
  /** Up to `length` bytes from `offset` on; fewer when the source ends there. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

const BUFFER_BYTES = 256 * 1024;
/** The longest string that is read and not skipped; it has to fit the buffer. */
export const LONGEST_TEXT = 64 * 1024;
/** Far above any real header (a vocabulary of 260,000 tokens with its merges takes 12 MB). */
const MOST_HEADER_BYTES = 256 * 1024 * 1024;

/**
 * Reads little-endian values one after the other through one buffer of a fixed size. Whatever the bytes claim, nothing is
 * allocated for it, and nothing behind the end of the source (or beyond 256 MiB) is read.
 */
export class ByteCursor {
  readonly #source: GgufSource;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  /** Where unread bytes begin and end in the buffer. */
  #begin = 0;
  #end = 0;
  /** Place in the source of the buffer's end. */
  #next = 0;

  constructor(source: GgufSource) {
    this.#source = source;
  }

  /** Bytes read or skipped so far. */
  get position(): number {
    return this.#next - this.#buffered;
  }

  /** Bytes that may still be read. */
  get left(): number {
    return Math.min(this.#source.size, MOST_HEADER_BYTES) - this.position;
  }

  async bytes(length: number): Promise<Buffer> {
    await this.#fill(length);
    const bytes = this.#buffer.subarray(this.#begin, this.#begin + length);
    this.#begin += length;
    return bytes;
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** @throws GgufError when it is beyond what a number holds exactly: no length or offset is that large */
  async uint64(): Promise<number> {
    return exact(await this.bytes(8), 0);
  }

  /** A string with its length before it. @throws GgufError when it is longer than `most` bytes */
  async text(most: number): Promise<string> {
    const length = await this.uint64();
    if (length > most) throw new GgufError(say('gguf.longText', { length }));
    return (await this.bytes(length)).toString('utf8');
  }

  /** @throws GgufError when there are not so many */
  skip(count: number): void {
    if (count > this.left) throw new GgufError(say('gguf.cut'));
    const inside = Math.min(count, this.#buffered);
    this.#begin += inside;
    this.#next += count - inside;
  }

  /** Skips strings; waits only where the buffer ends, of which a vocabulary’s merges need a few dozen. */
  async skipTexts(count: number): Promise<void> {
    for (let done = 0; done < count; done++) {
      if (this.#buffered < 8) await this.#fill(8);
      const length = exact(this.#buffer, this.#begin);
      this.#begin += 8;
      this.skip(length);
    }
  }

  get #buffered(): number {
    return this.#end - this.#begin;
  }

  /** Makes at least `wanted` bytes available in the buffer. */
  async #fill(wanted: number): Promise<void> {
    if (this.#buffered >= wanted) return;
    if (wanted > this.left) throw new GgufError(say('gguf.cut'));
    // After a skip beyond the buffer nothing is buffered, and `#next` already points behind what was skipped.
    this.#buffer.copyWithin(0, this.#begin, this.#end);
    this.#end -= this.#begin;
    this.#begin = 0;
    while (this.#end < wanted) {
      const room = Math.min(this.#buffer.length - this.#end, this.#source.size - this.#next);
      const chunk = await this.#source.read(this.#next, room);
      if (chunk.length === 0) throw new GgufError(say('gguf.cut'));
      this.#buffer.set(chunk, this.#end);
      this.#end += chunk.length;
      this.#next += chunk.length;
    }
  }
}

function exact(bytes: Buffer, at: number): number {
  const value = bytes.readUInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
  if (Number.isSafeInteger(value)) return value;
  throw new GgufError(say('gguf.hugeNumber'));
}
