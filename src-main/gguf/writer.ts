import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/**
 * Writes GGUF v3 files (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), row by row, so that a file of any
 * size needs only a few megabytes of memory.
 */

/** A metadata value with its GGUF type; an array holds values of one type. */
export type GgufValue =
  | { type: 'uint32'; value: number }
  | { type: 'int32'; value: number }
  | { type: 'float32'; value: number }
  | { type: 'uint64'; value: bigint }
  | { type: 'bool'; value: boolean }
  | { type: 'string'; value: string }
  | { type: 'uint32[]' | 'int32[]' | 'float32[]'; value: readonly number[] }
  | { type: 'string[]'; value: readonly string[] };

export type GgufTensorType = 'F32' | 'F16' | 'Q8_0';

export interface GgufTensor {
  name: string;
  type: GgufTensorType;
  /** Dimensions in GGUF's order: `[columns, rows]`, the contiguous one first. Q8_0 needs columns in multiples of 32. */
  shape: readonly [columns: number, rows?: number];
  /** Puts the values of one row into `row`. Called once for each row, in order. Left out: zeros. */
  fill?: (row: Float32Array, index: number) => void;
}

export interface GgufFile {
  metadata: ReadonlyMap<string, GgufValue>;
  tensors: readonly GgufTensor[];
}

const MAGIC = 0x46554747; // «GGUF», little endian
const VERSION = 3;
const ALIGNMENT = 32;
const FLUSH_BYTES = 1 << 20;
const Q8_BLOCK = 32;

const VALUE_TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9, uint64: 10 } as const;
const TENSOR_TYPE = { F32: 0, F16: 1, Q8_0: 8 } as const;

/**
 * Writes the file; it appears under its name only when it is complete.
 * @returns its size in bytes
 * @throws RangeError when a tensor's shape does not suit its type
 */
export async function writeGguf(path: string, { metadata, tensors }: GgufFile): Promise<number> {
  for (const tensor of tensors) checkShape(tensor);
  const part = `${path}.part`;
  const file = await open(part, 'w');
  try {
    const out = new ByteSink(file);
    await writeHeader(out, metadata, tensors);
    for (const tensor of tensors) await writeTensor(out, tensor);
    await out.flush();
    await file.close();
    await rename(part, path);
    return out.position;
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error;
  }
}

function checkShape({ name, type, shape: [columns, rows = 1] }: GgufTensor): void {
  const whole = Number.isInteger(columns) && Number.isInteger(rows) && columns > 0 && rows > 0;
  if (!whole || (type === 'Q8_0' && columns % Q8_BLOCK !== 0)) {
    throw new RangeError(`Tensor ${name} cannot be ${type} with the shape ${columns} × ${rows}.`);
  }
}

async function writeHeader(
  out: ByteSink,
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly GgufTensor[],
): Promise<void> {
  out.uint32(MAGIC);
  out.uint32(VERSION);
  out.uint64(BigInt(tensors.length));
  out.uint64(BigInt(metadata.size));
  for (const [key, value] of metadata) {
    out.string(key);
    await writeValue(out, value);
  }
  let offset = 0;
  for (const tensor of tensors) {
    writeTensorInfo(out, tensor, offset);
    offset = aligned(offset + tensorBytes(tensor));
    await out.drain();
  }
  out.zeros(aligned(out.position) - out.position);
}

async function writeValue(out: ByteSink, value: GgufValue): Promise<void> {
  if (!Array.isArray(value.value)) {
    out.uint32(VALUE_TYPE[value.type as keyof typeof VALUE_TYPE]);
    return writeScalar(out, value as ScalarValue);
  }
  const type = value.type.slice(0, -2) as ScalarValue['type'];
  out.uint32(VALUE_TYPE.array);
  out.uint32(VALUE_TYPE[type]);
  out.uint64(BigInt(value.value.length));
  for (const item of value.value) {
    writeScalar(out, { type, value: item } as ScalarValue);
    await out.drain();
  }
}

type ScalarValue = Exclude<GgufValue, { type: `${string}[]` }>;

function writeScalar(out: ByteSink, { type, value }: ScalarValue): void {
  if (type === 'uint32') out.uint32(value);
  else if (type === 'int32') out.int32(value);
  else if (type === 'float32') out.float32(value);
  else if (type === 'uint64') out.uint64(value);
  else if (type === 'bool') out.uint8(value ? 1 : 0);
  else out.string(value);
}

function writeTensorInfo(out: ByteSink, { name, type, shape }: GgufTensor, offset: number): void {
  out.string(name);
  out.uint32(shape.length);
  for (const dimension of shape) out.uint64(BigInt(dimension ?? 1));
  out.uint32(TENSOR_TYPE[type]);
  out.uint64(BigInt(offset));
}

async function writeTensor(out: ByteSink, { type, shape: [columns, rows = 1], fill }: GgufTensor): Promise<void> {
  const row = new Float32Array(columns);
  for (let index = 0; index < rows; index++) {
    if (fill) {
      fill(row, index);
      writeRow(out, type, row);
    } else out.zeros(rowBytes(type, columns));
    await out.drain();
  }
  out.zeros(aligned(out.position) - out.position);
}

function writeRow(out: ByteSink, type: GgufTensorType, row: Float32Array): void {
  if (type === 'F32') for (const value of row) out.float32(value);
  else if (type === 'F16') for (const value of row) out.uint16(toHalf(value));
  else for (let at = 0; at < row.length; at += Q8_BLOCK) writeQ8Block(out, row.subarray(at, at + Q8_BLOCK));
}

/** Q8_0: a half-precision scale, then 32 signed bytes; value = scale × byte. */
function writeQ8Block(out: ByteSink, block: Float32Array): void {
  let largest = 0;
  for (const value of block) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  out.uint16(toHalf(scale));
  for (const value of block) out.int8(scale === 0 ? 0 : Math.round(value / scale));
}

function tensorBytes({ type, shape: [columns, rows = 1] }: GgufTensor): number {
  return rowBytes(type, columns) * rows;
}

function rowBytes(type: GgufTensorType, columns: number): number {
  return { F32: columns * 4, F16: columns * 2, Q8_0: (columns / Q8_BLOCK) * (2 + Q8_BLOCK) }[type];
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

const halfScratch = new Float32Array(1);
const halfBits = new Uint32Array(halfScratch.buffer);

/** IEEE 754 half precision, rounded to nearest (ties to even); too large becomes infinity. */
export function toHalf(value: number): number {
  halfScratch[0] = value;
  const bits = halfBits[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  // Below 2^-14 a half is a multiple of 2^-24; above, rounding the mantissa may carry into the exponent, which is right.
  if (magnitude < 2 ** -14) return sign | roundEven(magnitude * 2 ** 24);
  const exponentAndMantissa = (bits & 0x7fffffff) - ((127 - 15) << 23);
  return sign | roundEven(exponentAndMantissa / 2 ** 13);
}

function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** Little-endian bytes on their way to a file; `drain` writes them once there are enough. */
class ByteSink {
  readonly #file: FileHandle;
  #buffer = Buffer.alloc(2 * FLUSH_BYTES);
  #used = 0;
  #written = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Bytes put in so far. */
  get position(): number {
    return this.#written + this.#used;
  }

  uint8(value: number): void {
    this.#used = this.#room(1).writeUInt8(value, this.#used);
  }

  int8(value: number): void {
    this.#used = this.#room(1).writeInt8(value, this.#used);
  }

  uint16(value: number): void {
    this.#used = this.#room(2).writeUInt16LE(value, this.#used);
  }

  uint32(value: number): void {
    this.#used = this.#room(4).writeUInt32LE(value, this.#used);
  }

  int32(value: number): void {
    this.#used = this.#room(4).writeInt32LE(value, this.#used);
  }

  float32(value: number): void {
    this.#used = this.#room(4).writeFloatLE(value, this.#used);
  }

  uint64(value: bigint): void {
    this.#used = this.#room(8).writeBigUInt64LE(value, this.#used);
  }

  string(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.uint64(BigInt(bytes));
    this.#used += this.#room(bytes).write(value, this.#used, 'utf8');
  }

  zeros(count: number): void {
    this.#room(count).fill(0, this.#used, this.#used + count);
    this.#used += count;
  }

  async drain(): Promise<void> {
    if (this.#used >= FLUSH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#file.writeFile(this.#buffer.subarray(0, this.#used));
    this.#written += this.#used;
    this.#used = 0;
  }

  #room(bytes: number): Buffer {
    if (this.#used + bytes > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], Math.max(2 * this.#buffer.length, this.#used + bytes));
    }
    return this.#buffer;
  }
}
