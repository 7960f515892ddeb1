import { say } from '../../src-preload/contract/saying.ts';
import { type ByteCursor, LONGEST_TEXT } from './byte-cursor.ts';
import { GgufError, quoted } from './gguf-error.ts';

/** A value that is too long to be kept: a vocabulary, its merges. Only its length is known. */
export interface SkippedValue {
  skipped: 'array' | 'text';
  /** Elements of an array, bytes of a text. */
  length: number;
}

type Scalar = number | boolean | string;
/** Whole numbers of 64 bits are numbers too, rounded where they are beyond 2^53. */
export type MetadataValue = Scalar | readonly Scalar[] | SkippedValue;
export type Metadata = ReadonlyMap<string, MetadataValue>;

/** As in llama.cpp: the text of a key is not limited, but nobody’s is longer. */
const LONGEST_KEY = 256;
/** Per layer there may be a value, and no model has so many layers. */
const LONGEST_KEPT_ARRAY = 1024;
/** All that is kept, together; a chat template takes a few thousand bytes, a value per layer a few hundred. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;
/** What a number of an array takes in memory, however small it is in the file. */
const NUMBER_BYTES = 8;
/** Type, and at least one byte of a value; the key’s length and at least one byte of it. */
export const LEAST_ENTRY_BYTES = 8 + 1 + 4 + 1;

interface ScalarType {
  bytes: number;
  read: (bytes: Buffer, at: number) => number | boolean;
}

/** Value types by their number in a file: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const SCALARS: Record<number, ScalarType> = {
  0: { bytes: 1, read: (bytes, at) => bytes.readUInt8(at) },
  1: { bytes: 1, read: (bytes, at) => bytes.readInt8(at) },
  2: { bytes: 2, read: (bytes, at) => bytes.readUInt16LE(at) },
  3: { bytes: 2, read: (bytes, at) => bytes.readInt16LE(at) },
  4: { bytes: 4, read: (bytes, at) => bytes.readUInt32LE(at) },
  5: { bytes: 4, read: (bytes, at) => bytes.readInt32LE(at) },
  6: { bytes: 4, read: (bytes, at) => bytes.readFloatLE(at) },
  7: { bytes: 1, read: (bytes, at) => bytes.readUInt8(at) !== 0 },
  10: { bytes: 8, read: (bytes, at) => Number(bytes.readBigUInt64LE(at)) },
  11: { bytes: 8, read: (bytes, at) => Number(bytes.readBigInt64LE(at)) },
  12: { bytes: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
};
const FLOAT32 = 6;
const TEXT = 8;
const ARRAY = 9;

/**
 * @returns `floats`: keys whose value is a number of 32 bits with a point; llama.cpp ends the process over one of another type
 * @throws GgufError
 */
export async function readMetadata(
  cursor: ByteCursor,
  count: number,
): Promise<{ metadata: Metadata; floats: ReadonlySet<string> }> {
  const metadata = new Map<string, MetadataValue>();
  const floats = new Set<string>();
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const key = await cursor.text(LONGEST_KEY);
    if (key === '') throw new GgufError(say('gguf.emptyKey'));
    if (metadata.has(key)) throw new GgufError(say('gguf.sameKey', { key: quoted(key) }));
    const type = await cursor.uint32();
    const value = await readValue(cursor, key, type);
    metadata.set(key, value);
    if (type === FLOAT32) floats.add(key);
    kept += key.length + keptBytes(value);
    if (kept > MOST_KEPT_BYTES) throw new GgufError(say('gguf.longMetadata'));
  }
  return { metadata, floats };
}

function keptBytes(value: MetadataValue): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.length * NUMBER_BYTES : NUMBER_BYTES;
}

function isSkipped(value: MetadataValue): value is SkippedValue {
  return typeof value === 'object' && 'skipped' in value;
}

async function readValue(cursor: ByteCursor, key: string, type: number): Promise<MetadataValue> {
  if (type === TEXT) return await readText(cursor);
  if (type === ARRAY) return await readArray(cursor, key);
  const { bytes, read } = scalarType(type, key);
  return read(await cursor.bytes(bytes), 0);
}

async function readText(cursor: ByteCursor): Promise<string | SkippedValue> {
  const length = await cursor.uint64();
  if (length <= LONGEST_TEXT) return (await cursor.bytes(length)).toString('utf8');
  cursor.skip(length);
  return { skipped: 'text', length };
}

/** Arrays in arrays are allowed by the format, but llama.cpp refuses them. */
async function readArray(cursor: ByteCursor, key: string): Promise<readonly Scalar[] | SkippedValue> {
  const type = await cursor.uint32();
  const length = await cursor.uint64();
  const skipped: SkippedValue = { skipped: 'array', length };
  if (type === TEXT) {
    if (length * 8 > cursor.left) throw tooMany(key, length);
    await cursor.skipTexts(length);
    return skipped;
  }
  const scalar = scalarType(type, key);
  if (length * scalar.bytes > cursor.left) throw tooMany(key, length);
  if (length > LONGEST_KEPT_ARRAY) {
    cursor.skip(length * scalar.bytes);
    return skipped;
  }
  const bytes = await cursor.bytes(length * scalar.bytes);
  return Array.from({ length }, (_, index) => scalar.read(bytes, index * scalar.bytes));
}

function scalarType(type: number, key: string): ScalarType {
  const known = SCALARS[type];
  if (known) return known;
  throw new GgufError(say('gguf.valueType', { key: quoted(key), type: String(type) }));
}

function tooMany(key: string, length: number): GgufError {
  return new GgufError(say('gguf.manyValues', { key: quoted(key), length }));
}

/** Numbers of a model’s own metadata (`<architecture>.<key>`), each checked to be a sane one. */
export class MetadataReader {
  readonly #metadata: Metadata;
  readonly #prefix: string;

  constructor(metadata: Metadata, architecture: string) {
    this.#metadata = metadata;
    this.#prefix = `${architecture}.`;
  }

  has(key: string): boolean {
    return this.#metadata.has(this.#prefix + key);
  }

  /** Whether any key begins so. */
  hasAny(beginning: string): boolean {
    const wanted = this.#prefix + beginning;
    return this.#metadata.keys().some((key) => key.startsWith(wanted));
  }

  isArray(key: string): boolean {
    return Array.isArray(this.#metadata.get(this.#prefix + key));
  }

  /** @throws GgufError when there is none, or it is no whole number from 1 to `most` */
  count(key: string, most: number): number {
    const value = this.optional(key, most);
    if (value === undefined || value < 1) throw new GgufError(say('gguf.lacks', { key: quoted(this.#prefix + key) }));
    return value;
  }

  /** Undefined where there is none. @throws GgufError when it is no whole number from 0 to `most` */
  optional(key: string, most: number): number | undefined {
    const value = this.#metadata.get(this.#prefix + key);
    return value === undefined ? undefined : this.#checked(key, value, most);
  }

  /**
   * One number for each layer: as they are, or the same for all.
   * @throws GgufError
   */
  perLayer(key: string, layers: number, most: number): number[] | undefined {
    const value = this.#metadata.get(this.#prefix + key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return new Array<number>(layers).fill(this.#checked(key, value, most));
    if (value.length < layers) throw new GgufError(say('gguf.fewValues', { key: quoted(this.#prefix + key) }));
    return value.slice(0, layers).map((item) => this.#checked(key, Number(item), most));
  }

  #checked(key: string, value: unknown, most: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    throw new GgufError(say('gguf.notNumber', { key: quoted(this.#prefix + key), most }));
  }
}

/** Elements of an array, whether it was kept or skipped; undefined where there is none. */
export function lengthOf(metadata: Metadata, key: string): number | undefined {
  const value = metadata.get(key);
  return typeof value === 'object' ? value.length : undefined;
}

/** A text, where there is one that was kept. */
export function textOf(metadata: Metadata, key: string): string | undefined {
  const value = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** A number, where there is one. */
export function numberOf(metadata: Metadata, key: string): number | undefined {
  const value = metadata.get(key);
  return typeof value === 'number' ? value : undefined;
}

/** Whether there is a text, however long. */
export function hasText(metadata: Metadata, key: string): boolean {
  const value = metadata.get(key);
  return value !== undefined && (typeof value === 'string' || (isSkipped(value) && value.skipped === 'text'));
}
