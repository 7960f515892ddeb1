import { say } from '../../../src-preload/contract/saying.ts';
import { GgufError } from '../../gguf/gguf-error.ts';
import { readGgufHeader } from '../../gguf/header.ts';
import { modelFacts } from '../../gguf/model-facts.ts';
import type { CheckedGguf } from '../../gguf/model-file.ts';
import type { ByteSource } from '../downloads/byte-source.ts';

/** A vocabulary of 260,000 tokens with its merges takes 12 MB. */
const MOST_BYTES = 16 << 20;
const DEADLINE_MS = 30_000;

/**
 * The header of a GGUF file that is elsewhere: its first bytes, in one go, and no more than 16 MiB of them.
 * @param bytes length that the file should have
 * @throws SourceError; GgufError for another file than a whole model; the signal's reason, or that of a deadline of 30 s
 */
export async function readRemoteHeader(source: ByteSource, bytes: number, signal?: AbortSignal): Promise<CheckedGguf> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const info = await source.open(ending);
  if (info.bytes !== undefined && info.bytes !== bytes) throw new GgufError(say('gguf.cut'));
  const pieces = source.read({ start: 0, end: Math.min(bytes, MOST_BYTES) }, ending);
  const reader = new InOrder(pieces[Symbol.asyncIterator]());
  try {
    const header = await readGgufHeader({ size: bytes, read: (offset, length) => reader.read(offset, length) });
    return { header, facts: modelFacts(header) };
  } finally {
    await reader.end();
    await source.close();
  }
}

/** Bytes that come in order, for a reader that only goes forward. */
class InOrder {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  /** Place in the file of the piece's first byte. */
  #start = 0;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** Nothing once they are at their end. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    while (offset >= this.#start + this.#piece.length) {
      this.#start += this.#piece.length;
      const { value, done } = await this.#pieces.next();
      if (done) return new Uint8Array();
      this.#piece = value;
    }
    const from = offset - this.#start;
    return this.#piece.subarray(from, from + length);
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}
