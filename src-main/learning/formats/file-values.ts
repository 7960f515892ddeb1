import type { FileHandle } from 'node:fs/promises';
import { say } from '../../../src-preload/contract/saying.ts';
import { quoted } from '../../gguf/gguf-error.ts';
import { invalidAdapter } from './adapter-error.ts';

/** Types of numbers that are read; all become single precision. */
export const VALUE_BYTES = { F32: 4, F16: 2, BF16: 2 } as const;
export type ValueType = keyof typeof VALUE_BYTES;

/** Numbers in all tensors of a file together, at most: 1 GiB in memory. An adapter of rank 64 for a model of 8 billion parameters has 168 million. */
export const MOST_VALUES = 1 << 28;
/** Of what a file says before its numbers: of an adapter of 126 layers, which has 1,764 tensors, that takes 250 kB. */
export const MOST_HEADER_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1 << 20;

export interface StoredValues {
  /** For errors. */
  name: string;
  type: ValueType;
  /** Where they begin in the file. */
  offset: number;
  count: number;
}

export function isValueType(type: unknown): type is ValueType {
  return typeof type === 'string' && Object.hasOwn(VALUE_BYTES, type);
}

/**
 * Reads the numbers of one tensor, a piece at a time. Little endian, as files and all computers are that Node runs on.
 * @throws ADAPTER_INVALID when the file ends before, or a number is not finite
 */
export async function readValues(file: FileHandle, { name, type, offset, count }: StoredValues): Promise<Float32Array> {
  const values = new Float32Array(count);
  const width = VALUE_BYTES[type];
  const chunk = Buffer.from(new ArrayBuffer(Math.min(CHUNK_BYTES, count * width)));
  for (let done = 0; done < count; ) {
    const bytes = Math.min(chunk.length, (count - done) * width);
    await readFully(file, chunk.subarray(0, bytes), offset + done * width, name);
    const numbers = asNumbers(chunk.buffer, bytes / width, type);
    for (const value of numbers) {
      if (!Number.isFinite(value)) throw invalidAdapter(say('adapters.notFinite', { name: quoted(name) }));
    }
    values.set(numbers, done);
    done += numbers.length;
  }
  return values;
}

function asNumbers(bytes: ArrayBuffer, count: number, type: ValueType): Float32Array | Float16Array {
  if (type === 'F32') return new Float32Array(bytes, 0, count);
  if (type === 'F16') return new Float16Array(bytes, 0, count);
  // The upper half of single precision.
  const widened = Uint32Array.from(new Uint16Array(bytes, 0, count), (half) => half << 16);
  return new Float32Array(widened.buffer);
}

async function readFully(file: FileHandle, into: Buffer, offset: number, name: string): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, offset + done);
    if (bytesRead === 0) throw invalidAdapter(say('adapters.cut', { name: quoted(name) }));
    done += bytesRead;
  }
}
