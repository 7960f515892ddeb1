import { say } from '../../../src-preload/contract/saying.ts';
import { GgufError, quoted } from '../gguf-error.ts';
import type { TensorInfo } from '../tensors.ts';
import { fromQ4_K, fromQ5_K, fromQ6_K } from './k-blocks.ts';
import { fromBrain, fromHalf, fromSingle } from './numbers.ts';
import { fromQ4_0, fromQ4_1, fromQ5_0, fromQ5_1, fromQ8_0 } from './small-blocks.ts';

/** How blocks of one type become numbers. */
export interface BlockReader {
  /** Values of a block, and the bytes that it takes. */
  values: number;
  bytes: number;
  /** Reads the block that begins at `at`, and puts its values into `values` from `to` on. */
  read(bytes: Uint8Array, at: number, values: Float32Array, to: number): void;
}

const READERS: Readonly<Record<string, BlockReader>> = {
  F32: single(4, fromSingle),
  F16: single(2, fromHalf),
  BF16: single(2, fromBrain),
  Q4_0: { values: 32, bytes: 18, read: fromQ4_0 },
  Q4_1: { values: 32, bytes: 20, read: fromQ4_1 },
  Q5_0: { values: 32, bytes: 22, read: fromQ5_0 },
  Q5_1: { values: 32, bytes: 24, read: fromQ5_1 },
  Q8_0: { values: 32, bytes: 34, read: fromQ8_0 },
  Q4_K: { values: 256, bytes: 144, read: fromQ4_K },
  Q5_K: { values: 256, bytes: 176, read: fromQ5_K },
  Q6_K: { values: 256, bytes: 210, read: fromQ6_K },
};

function single(size: number, number: (bytes: Uint8Array, at: number) => number): BlockReader {
  const read: BlockReader['read'] = (bytes, at, values, to) => {
    values[to] = number(bytes, at);
  };
  return { values: 1, bytes: size, read };
}

/** @throws GgufError for a type that is not read here: few files have one */
export function blockReader({ name, type }: Pick<TensorInfo, 'name' | 'type'>): BlockReader {
  const reader = READERS[type];
  if (reader) return reader;
  throw new GgufError(say('gguf.weightType', { name: quoted(name), type }));
}

/**
 * The numbers of whole blocks that follow each other.
 * @param values takes them; has room for all
 */
export function dequantise(reader: BlockReader, bytes: Uint8Array, values: Float32Array): void {
  for (let at = 0, to = 0; at + reader.bytes <= bytes.length; at += reader.bytes, to += reader.values) {
    reader.read(bytes, at, values, to);
  }
}
