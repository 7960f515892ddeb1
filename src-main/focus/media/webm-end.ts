import type { FileHandle } from 'node:fs/promises';

/** Elements that hold others: looked into, whatever their size; in a stream it is not known. */
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const LONGEST_HEADER = 12;
const WINDOW_BYTES = 1 << 20;

interface Header {
  id: number;
  /** Of the header itself. */
  bytes: number;
  /** Of what is in it; undefined where the stream does not tell. */
  size: number | undefined;
}

/**
 * Where the last whole element of a WebM stream ends. What ended amid a block is read as far as that: a reader that is given the rest as well gives up
 * the whole cluster, which is a second or more.
 */
export async function endOfWhole(file: FileHandle): Promise<number> {
  const { size: fileBytes } = await file.stat();
  const window = new Window(file);
  let at = 0;
  while (at < fileBytes) {
    const header = headerIn(await window.at(at));
    if (!header) break;
    const inside = at + header.bytes;
    if (header.id === SEGMENT || header.id === CLUSTER) at = inside;
    else if (header.size === undefined || inside + header.size > fileBytes) break;
    else at = inside + header.size;
  }
  return at;
}

/** Reads a file from front to back, in large pieces. */
class Window {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.alloc(WINDOW_BYTES);
  #start = 0;
  #length = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Enough for a header, where the file has so much. */
  async at(position: number): Promise<Uint8Array> {
    if (position + LONGEST_HEADER > this.#start + this.#length) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, WINDOW_BYTES, position);
      this.#start = position;
      this.#length = bytesRead;
    }
    const from = position - this.#start;
    return this.#buffer.subarray(from, Math.min(from + LONGEST_HEADER, this.#length));
  }
}

/** @returns undefined for what is none, or not there to its end */
function headerIn(bytes: Uint8Array): Header | undefined {
  const idBytes = lengthOf(bytes[0]);
  const sizeBytes = lengthOf(bytes[idBytes]);
  if (idBytes > 4 || sizeBytes > 8 || bytes.length < idBytes + sizeBytes) return undefined;
  const id = numberIn(bytes.subarray(0, idBytes), 0);
  const size = numberIn(bytes.subarray(idBytes, idBytes + sizeBytes), 0x80 >> (sizeBytes - 1));
  const isUnknown = size === 2 ** (7 * sizeBytes) - 1;
  return { id, bytes: idBytes + sizeBytes, size: isUnknown ? undefined : size };
}

/** How many bytes a number has, by its first. */
const lengthOf = (first = 0): number => Math.clz32(first) - 23;

/** @param marker bit of the first byte that only tells the length */
function numberIn(bytes: Uint8Array, marker: number): number {
  return bytes.reduce((value, byte, index) => value * 256 + (index === 0 ? byte & ~marker : byte), 0);
}
