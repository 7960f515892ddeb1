import type { FileHandle } from 'node:fs/promises';

const HEAD = 0x1a45dfa3;
/** Elements that hold others: looked into, whatever their size; in a stream it is not known. */
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
/** Looked into on the way to a track; what is in a cluster has its size, or is a block. */
const INTO = new Set([SEGMENT, CLUSTER, TRACKS]);
const VOID = 0xec;
const TAGS = 0x1254c367;
/** What nobody sees or hears: room that was left free, and words. */
const UNSEEN = new Set([VOID, TAGS]);
/** What recorders, and what is made here, have in a segment: seek head, info, tracks, cues and tags (RFC 9559, 5.1). */
const IN_SEGMENT = new Set([CLUSTER, VOID, 0x114d9b74, 0x1549a966, TRACKS, 0x1c53bb6b, TAGS]);
/** And in a cluster, whose end may be known by what can only be in the segment: timestamp, position, size before, blocks. */
const IN_CLUSTER = new Set([...IN_SEGMENT, 0xe7, 0xa7, 0xab, 0xa3, 0xa0]);
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
 * the whole cluster, which is a second or more. What is in its place in no WebM of a recorder ends it, too: mediabunny, which looks for what may follow on
 * it, finds no end where it comes to eight bytes before that of the file.
 * @param most bytes of the file that count; what is behind them is not looked at. Default: all
 */
export async function endOfWhole(file: FileHandle, most = Number.POSITIVE_INFINITY): Promise<number> {
  const fileBytes = Math.min((await file.stat()).size, most);
  const window = new Window(file, fileBytes);
  let at = 0;
  let known = new Set([HEAD]);
  while (at < fileBytes) {
    const header = headerIn(await window.at(at));
    if (!header || !known.has(header.id)) break;
    known = after(header.id, known);
    const inside = at + header.bytes;
    if (header.id === SEGMENT || header.id === CLUSTER) at = inside;
    else if (header.size === undefined || inside + header.size > fileBytes) break;
    else at = inside + header.size;
  }
  return at;
}

/** How many tracks a WebM stream has, of whatever kind, and bytes that nobody sees or hears: a reader of pictures and sound leaves both out without a word. */
export async function contentsOf(file: FileHandle, end: number): Promise<{ tracks: number; unseen: number }> {
  const window = new Window(file, end);
  let [tracks, unseen] = [0, 0];
  for (let at = 0; at < end; ) {
    const header = headerIn(await window.at(at));
    if (!header) break;
    const { id, bytes, size = 0 } = header;
    if (id === TRACK) tracks++;
    if (UNSEEN.has(id)) unseen += size;
    at += bytes + (INTO.has(id) ? 0 : size);
  }
  return { tracks, unseen };
}

/** What may follow on an element. */
function after(id: number, known: Set<number>): Set<number> {
  if (id === HEAD) return new Set([SEGMENT]);
  if (id === CLUSTER) return IN_CLUSTER;
  return id === SEGMENT || (IN_SEGMENT.has(id) && id !== VOID) ? IN_SEGMENT : known;
}

/** Reads a file from front to back, in large pieces. */
class Window {
  readonly #file: FileHandle;
  readonly #end: number;
  readonly #buffer = Buffer.alloc(WINDOW_BYTES);
  #start = 0;
  #length = 0;

  constructor(file: FileHandle, end: number) {
    this.#file = file;
    this.#end = end;
  }

  /** Enough for a header, where the file has so much. */
  async at(position: number): Promise<Uint8Array> {
    if (position + LONGEST_HEADER > this.#start + this.#length) {
      const most = Math.min(WINDOW_BYTES, this.#end - position);
      const { bytesRead } = await this.#file.read(this.#buffer, 0, most, position);
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
