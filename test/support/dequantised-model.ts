import { open, readFile } from 'node:fs/promises';
import type { GgufHeader } from '../../src-main/gguf/header.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { aligned, type TensorInfo } from '../../src-main/gguf/tensors.ts';
import { Weights } from '../../src-main/gguf/weights/weights.ts';
import { toHalf } from '../../src-main/gguf/writer.ts';

const ALIGNMENT = 32;
/** By the types' numbers in a file. */
const TYPES = { F32: { id: 0, bytes: 4 }, F16: { id: 1, bytes: 2 } } as const;
const QUANTISED: Record<string, number> = { F32: 0, Q4_1: 3, Q6_K: 14, Q8_0: 8 };

/** Writes a model once more, its matrices as numbers that are not quantised; what else its file says stays, byte for byte. */
export async function writeDequantised(from: string, to: string, type: keyof typeof TYPES): Promise<void> {
  const header = await readModelHeader(from);
  const kept = await metadataBytes(from, header);
  const typeOf = ({ dimensions }: TensorInfo) => (dimensions.length === 1 ? 'F32' : type);
  const infos: Buffer[] = [];
  let offset = 0;
  for (const tensor of header.tensors) {
    infos.push(infoBytes(tensor, TYPES[typeOf(tensor)].id, offset));
    offset = aligned(offset + valuesOf(tensor) * TYPES[typeOf(tensor)].bytes, ALIGNMENT);
  }
  const start = Buffer.concat([kept, ...infos]);
  const weights = await Weights.open(from, header);
  const file = await open(to, 'w');
  try {
    await file.writeFile(padded(start));
    for (const tensor of header.tensors) {
      const values = await weights.read(tensor.name);
      const numbers = typeOf(tensor) === 'F16' ? Uint16Array.from(values, toHalf) : values;
      await file.writeFile(padded(Buffer.from(numbers.buffer)));
    }
  } finally {
    await file.close();
    await weights.close();
  }
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length, ALIGNMENT) - bytes.length)]);

const valuesOf = ({ dimensions }: TensorInfo) => dimensions.reduce((product, length) => product * length, 1);

/** All before the list of tensors. */
async function metadataBytes(path: string, header: GgufHeader): Promise<Buffer> {
  const [first] = header.tensors;
  if (!first) throw new Error('A model without tensors.');
  const bytes = (await readFile(path)).subarray(0, header.dataOffset);
  const at = bytes.indexOf(infoBytes(first, QUANTISED[first.type] as number, first.offset));
  if (at < 0) throw new Error(`${first.name} was not found.`);
  return bytes.subarray(0, at);
}

function infoBytes({ name, dimensions }: TensorInfo, type: number, offset: number): Buffer {
  const text = Buffer.from(name);
  const bytes = Buffer.alloc(8 + text.length + 4 + 8 * dimensions.length + 4 + 8);
  let at = bytes.writeBigUInt64LE(BigInt(text.length));
  at += text.copy(bytes, at);
  at = bytes.writeUInt32LE(dimensions.length, at);
  for (const length of dimensions) at = bytes.writeBigUInt64LE(BigInt(length), at);
  bytes.writeBigUInt64LE(BigInt(offset), bytes.writeUInt32LE(type, at));
  return bytes;
}
