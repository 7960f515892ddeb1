import type { GgufSource } from '../../src-main/gguf/byte-cursor.ts';

/** Pieces of a GGUF file, for files that no honest writer writes. */
export const uint8 = (value: number) => Buffer.from([value]);
export const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
export const uint64 = (value: number | bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
export const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);

export const textEntry = (key: string, value: string) => Buffer.concat([text(key), uint32(8), text(value)]);
export const numberEntry = (key: string, value: number) => Buffer.concat([text(key), uint32(4), uint32(value)]);
/** @param type of the elements; @param claimed how many there are said to be */
export const arrayEntry = (key: string, type: number, claimed: number | bigint, ...elements: Buffer[]) =>
  Buffer.concat([text(key), uint32(9), uint32(type), uint64(claimed), ...elements]);

export interface TensorBytes {
  name?: string;
  dimensions?: (number | bigint)[];
  type?: number;
  offset?: number | bigint;
}

/** Without more, 32 values of F32 at the start of the data. */
export const tensor = ({ name = 'weight', dimensions = [32], type = 0, offset = 0 }: TensorBytes = {}) =>
  Buffer.concat([text(name), uint32(dimensions.length), ...dimensions.map(uint64), uint32(type), uint64(offset)]);

export interface FileBytes {
  magic?: string;
  version?: number;
  /** What the file says of itself; by default the truth. */
  tensorCount?: number | bigint;
  keyCount?: number | bigint;
  keys?: Buffer[];
  tensors?: Buffer[];
  /** Bytes of weights at the end. */
  data?: number;
}

/** A file in one piece; its data begins at the next multiple of 32. */
export function ggufBytes({
  magic = 'GGUF',
  version = 3,
  keys = [],
  tensors = [tensor()],
  ...more
}: FileBytes): Buffer {
  const header = Buffer.concat([
    Buffer.from(magic),
    uint32(version),
    uint64(more.tensorCount ?? tensors.length),
    uint64(more.keyCount ?? keys.length),
    ...keys,
    ...tensors,
  ]);
  const padding = (32 - (header.length % 32)) % 32;
  return Buffer.concat([header, Buffer.alloc(padding + (more.data ?? 128))]);
}

/** @param read told of every piece that is read */
export function sourceOf(bytes: Buffer, read: (length: number) => void = () => undefined): GgufSource {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      const piece = bytes.subarray(offset, offset + length);
      read(piece.length);
      return piece;
    },
  };
}
