import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_SCHEMA_VALUES } from '../../../src-preload/contract/limits.ts';
import { jsonExcess, MAX_JSON_MARKS } from '../../base/json-shape.ts';

/**
 * Most keys of a message, and of each object that is a field of it: an honest one has some twenty. Schemas make a list of all that
 * they do not know. Below them are JSON schemas for constrained output, which may have more.
 */
export const MAX_MESSAGE_KEYS = 100;
const MAX_KEYS_BY_LEVEL = [MAX_MESSAGE_KEYS, MAX_MESSAGE_KEYS, MAX_SCHEMA_VALUES];

/** Deepest nesting of objects and arrays in a frame. A JSON schema for constrained output is the deepest honest content. */
export const MAX_JSON_DEPTH = 32;

const HEADER_BYTES = 4;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A peer broke the protocol. The connection ends; nothing it sent afterwards is read. */
function protocolError(message: string, cause?: unknown): QuarryError {
  return new QuarryError({ code: 'PROTOCOL', message }, { cause });
}

/**
 * A message as a frame: its length as 4 bytes, big-endian, then UTF-8 JSON.
 *
 * @throws PROTOCOL when the body is larger than `maxBytes`, or deeper or fuller than a decoder allows
 */
export function encodeFrame(message: object, maxBytes: number): Buffer {
  const body = JSON.stringify(message);
  const length = Buffer.byteLength(body);
  if (length > maxBytes) throw protocolError(`A message of ${length} bytes is over the limit of ${maxBytes}.`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(body, HEADER_BYTES);
  checkShape(frame.subarray(HEADER_BYTES));
  return frame;
}

/**
 * Turns a stream of bytes, cut anywhere, into JSON values. It never holds more than one frame: a length over the cap is
 * refused as soon as its four bytes are there, before anything of the body is kept.
 */
export class FrameDecoder {
  readonly #maxBytes: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #body: Buffer | undefined;
  #bodyFilled = 0;

  /** @param maxBytes largest body to accept */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that wait for the rest of their frame. */
  get buffered(): number {
    return this.#headerFilled + this.#bodyFilled;
  }

  /**
   * Yields each value whose frame is complete, and the bytes of its body.
   *
   * @throws PROTOCOL on a body that is empty, too large, not UTF-8, too deep, too full or not JSON; the decoder is then spent
   */
  *push(bytes: Uint8Array): Generator<{ value: unknown; bytes: number }> {
    let offset = 0;
    while (offset < bytes.length) {
      offset = this.#body ? this.#fillBody(this.#body, bytes, offset) : this.#fillHeader(bytes, offset);
      const body = this.#body;
      if (!body || this.#bodyFilled < body.length) continue;
      this.#body = undefined;
      this.#headerFilled = 0;
      this.#bodyFilled = 0;
      yield { value: parseBody(body), bytes: body.length };
    }
  }

  #fillHeader(bytes: Uint8Array, offset: number): number {
    const taken = bytes.subarray(offset, offset + HEADER_BYTES - this.#headerFilled);
    this.#header.set(taken, this.#headerFilled);
    this.#headerFilled += taken.length;
    if (this.#headerFilled === HEADER_BYTES) this.#startBody(this.#header.readUInt32BE(0));
    return offset + taken.length;
  }

  #startBody(length: number): void {
    if (length === 0) throw protocolError('A frame is empty.');
    if (length > this.#maxBytes)
      throw protocolError(`A frame of ${length} bytes is over the limit of ${this.#maxBytes}.`);
    this.#body = Buffer.allocUnsafe(length);
  }

  #fillBody(body: Buffer, bytes: Uint8Array, offset: number): number {
    const taken = bytes.subarray(offset, offset + body.length - this.#bodyFilled);
    body.set(taken, this.#bodyFilled);
    this.#bodyFilled += taken.length;
    return offset + taken.length;
  }
}

function parseBody(body: Buffer): unknown {
  checkShape(body);
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw protocolError('A frame is not UTF-8 JSON.', error);
  }
}

function checkShape(body: Buffer): void {
  const excess = jsonExcess(body, MAX_JSON_DEPTH, MAX_KEYS_BY_LEVEL);
  if (excess === 'depth') throw protocolError(`A frame nests deeper than ${MAX_JSON_DEPTH} levels.`);
  if (excess === 'keys') throw protocolError('A frame has an object with too many keys.');
  if (excess === 'marks') throw protocolError(`A frame has more than ${MAX_JSON_MARKS} keys and entries.`);
}
