import type { FileHandle } from 'node:fs/promises';
import { say } from '../../src-preload/contract/saying.ts';
import { GgufError, quoted } from './gguf-error.ts';
import type { GgufHeader } from './header.ts';
import type { TensorInfo } from './tensors.ts';

const SLICE_BYTES = 1 << 20;

/** Where a value's exponent lies: all its bits are 1 in what is infinite or no number (IEEE 754). */
interface Exponent {
  /** Bytes from one value to the next. */
  stride: number;
  /** Of the bytes that hold it, the first of each value. */
  at: number;
  mask: number;
}

/** A Q8_0 block is its scale (F16) and 32 whole numbers. */
const EXPONENTS: Record<string, Exponent> = {
  F32: { stride: 4, at: 2, mask: 0x7f80 },
  BF16: { stride: 2, at: 0, mask: 0x7f80 },
  F16: { stride: 2, at: 0, mask: 0x7c00 },
  Q8_0: { stride: 34, at: 0, mask: 0x7c00 },
};

/**
 * Looks at every value of the matrices: about a gigabyte a second.
 * @param header of the file; types other than F32, F16, BF16 and Q8_0 are passed over
 * @throws GgufError naming the first matrix with a value that is infinite or no number, or that the file has not
 */
export async function checkFinite(file: FileHandle, { tensors, dataOffset }: GgufHeader): Promise<void> {
  const buffer = Buffer.allocUnsafe(SLICE_BYTES);
  for (const tensor of tensors) {
    const exponent = EXPONENTS[tensor.type];
    if (exponent) await checkTensor(file, dataOffset, tensor, exponent, buffer);
  }
}

async function checkTensor(
  file: FileHandle,
  dataOffset: number,
  { name, offset, bytes }: TensorInfo,
  exponent: Exponent,
  buffer: Buffer,
): Promise<void> {
  const slice = SLICE_BYTES - (SLICE_BYTES % exponent.stride);
  for (let done = 0; done < bytes; done += slice) {
    const length = Math.min(slice, bytes - done);
    const { bytesRead } = await file.read(buffer, 0, length, dataOffset + offset + done);
    if (bytesRead < length) throw new GgufError(say('gguf.incomplete', { size: offset + done, end: offset + bytes }));
    if (!allFinite(buffer, length, exponent)) throw new GgufError(say('gguf.notFinite', { name: quoted(name) }));
  }
}

function allFinite(buffer: Buffer, length: number, { stride, at, mask }: Exponent): boolean {
  for (let place = at; place < length; place += stride) {
    const bits = (buffer[place + 1] as number) * 256 + (buffer[place] as number);
    if ((bits & mask) === mask) return false;
  }
  return true;
}
