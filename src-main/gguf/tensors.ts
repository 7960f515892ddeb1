import { say } from '../../src-preload/contract/saying.ts';
import type { ByteCursor } from './byte-cursor.ts';
import { GgufError, quoted } from './gguf-error.ts';
import { tensorType } from './types.ts';

/** Where one matrix of the weights lies. */
export interface TensorInfo {
  name: string;
  /** As llama.cpp names it: 'F32', 'Q4_K'. */
  type: string;
  /** One to four lengths, that of a row first. */
  dimensions: readonly number[];
  /** From the start of the data. */
  offset: number;
  bytes: number;
}

/** `GGML_MAX_NAME` − 1 and `GGML_MAX_DIMS` of ggml.h. */
const LONGEST_NAME = 63;
const MOST_DIMENSIONS = 4;
/** Lengths of a name, at least one letter, count of dimensions, one of them, type, offset. */
export const LEAST_TENSOR_BYTES = 8 + 1 + 4 + 8 + 4 + 8;

/**
 * As in llama.cpp, each tensor’s data begins where that of the one before ends, rounded up to `alignment`: so none
 * overlaps another, and there is no room for anything between them.
 * @throws GgufError
 */
export async function readTensors(cursor: ByteCursor, count: number, alignment: number): Promise<TensorInfo[]> {
  const tensors: TensorInfo[] = [];
  const names = new Set<string>();
  let expected = 0;
  for (let index = 0; index < count; index++) {
    const tensor = await readTensor(cursor);
    if (names.has(tensor.name)) throw new GgufError(say('gguf.sameTensor', { name: quoted(tensor.name) }));
    if (tensor.offset !== expected) {
      throw new GgufError(say('gguf.tensorPlace', { name: quoted(tensor.name) }));
    }
    names.add(tensor.name);
    tensors.push(tensor);
    expected = aligned(tensor.offset + tensor.bytes, alignment);
  }
  return tensors;
}

export function aligned(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}

async function readTensor(cursor: ByteCursor): Promise<TensorInfo> {
  const name = await cursor.text(LONGEST_NAME);
  const dimensions = await readDimensions(cursor, name);
  const typeId = await cursor.uint32();
  const type = tensorType(typeId);
  if (!type) throw new GgufError(say('gguf.tensorType', { name: quoted(name), type: String(typeId) }));
  const [row = 0] = dimensions;
  if (row % type.values !== 0) {
    throw new GgufError(say('gguf.blocks', { name: quoted(name), type: type.name }));
  }
  const values = dimensions.reduce((product, length) => product * length, 1);
  const bytes = (values / type.values) * type.bytes;
  if (!Number.isSafeInteger(values) || !Number.isSafeInteger(bytes)) {
    throw new GgufError(say('gguf.hugeTensor', { name: quoted(name) }));
  }
  return { name, type: type.name, dimensions, offset: await cursor.uint64(), bytes };
}

async function readDimensions(cursor: ByteCursor, name: string): Promise<number[]> {
  const count = await cursor.uint32();
  if (count < 1 || count > MOST_DIMENSIONS) throw new GgufError(say('gguf.dimensions', { name: quoted(name), count }));
  const dimensions: number[] = [];
  for (let index = 0; index < count; index++) dimensions.push(await cursor.uint64());
  if (dimensions.includes(0)) throw new GgufError(say('gguf.emptyTensor', { name: quoted(name) }));
  return dimensions;
}
