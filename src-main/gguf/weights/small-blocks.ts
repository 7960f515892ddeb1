import { fourBytes, fromHalf } from './numbers.ts';

/**
 * Blocks of 32 values of ggml's older types: `block_q4_0` … `block_q8_0` of ggml/src/ggml-common.h, read as `dequantize_row_…` of
 * ggml-quants.c does. Nibbles: the low halves of 16 bytes are the first 16 values, the high halves the others. Every product is exact in
 * 32 bits: scales have 11 significant bits.
 */

const HALF = 16;

/** `value = scale × (nibble − 8)` */
export function fromQ4_0(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const scale = fromHalf(bytes, at);
  for (let index = 0; index < HALF; index++) {
    const pair = bytes[at + 2 + index] as number;
    values[to + index] = scale * ((pair & 15) - 8);
    values[to + HALF + index] = scale * ((pair >> 4) - 8);
  }
}

/** `value = scale × nibble + least` */
export function fromQ4_1(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const scale = fromHalf(bytes, at);
  const least = fromHalf(bytes, at + 2);
  for (let index = 0; index < HALF; index++) {
    const pair = bytes[at + 4 + index] as number;
    values[to + index] = scale * (pair & 15) + least;
    values[to + HALF + index] = scale * (pair >> 4) + least;
  }
}

/** `value = scale × (number of five bits − 16)`; the fifth bits are together in four bytes. */
export function fromQ5_0(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const scale = fromHalf(bytes, at);
  const fifths = fourBytes(bytes, at + 2);
  for (let index = 0; index < HALF; index++) {
    const pair = bytes[at + 6 + index] as number;
    values[to + index] = scale * (((pair & 15) | (((fifths >>> index) & 1) << 4)) - 16);
    values[to + HALF + index] = scale * (((pair >> 4) | (((fifths >>> (index + HALF)) & 1) << 4)) - 16);
  }
}

/** `value = scale × number of five bits + least` */
export function fromQ5_1(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const scale = fromHalf(bytes, at);
  const least = fromHalf(bytes, at + 2);
  const fifths = fourBytes(bytes, at + 4);
  for (let index = 0; index < HALF; index++) {
    const pair = bytes[at + 8 + index] as number;
    values[to + index] = scale * ((pair & 15) | (((fifths >>> index) & 1) << 4)) + least;
    values[to + HALF + index] = scale * ((pair >> 4) | (((fifths >>> (index + HALF)) & 1) << 4)) + least;
  }
}

/** `value = scale × signed byte` */
export function fromQ8_0(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const scale = fromHalf(bytes, at);
  for (let index = 0; index < 2 * HALF; index++) {
    values[to + index] = scale * (((bytes[at + 2 + index] as number) << 24) >> 24);
  }
}
