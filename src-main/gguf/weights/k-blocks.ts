import { fromHalf } from './numbers.ts';

/** Blocks of 256 values, the «K» types of ggml: `block_q4_K` … of ggml/src/ggml-common.h, read as `dequantize_row_…` of ggml-quants.c does. */

const QUARTER = 64;
/** In Q4_K and Q5_K: two halves that scale the rest, twelve bytes of scales, … */
const SCALES = 4;
const AFTER_SCALES = 16;

/**
 * Eight scales and eight minima of six bits, in twelve bytes: the first four of each in the low bits of bytes 0–7, of the others four bits in
 * bytes 8–11 and two in the high bits of bytes 0–7.
 */
function sixBits(bytes: Uint8Array, at: number, group: number): { scale: number; least: number } {
  const byte = (index: number) => bytes[at + index] as number;
  if (group < 4) return { scale: byte(group) & 63, least: byte(group + 4) & 63 };
  const low = byte(group + 4);
  return { scale: (low & 15) | ((byte(group - 4) >> 6) << 4), least: (low >> 4) | ((byte(group) >> 6) << 4) };
}

/** `value = d × scale × nibble − dmin × least`, in groups of 32: the low halves of 32 bytes, then their high halves. */
export function fromQ4_K(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  fromNibbles(bytes, at, values, to, undefined);
}

/** The same with a fifth bit: bit g of byte i of 32 is that of value i of group g. */
export function fromQ5_K(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  fromNibbles(bytes, at, values, to, at + AFTER_SCALES);
}

function fromNibbles(
  bytes: Uint8Array,
  at: number,
  values: Float32Array,
  to: number,
  fifths: number | undefined,
): void {
  const [d, dmin] = [fromHalf(bytes, at), fromHalf(bytes, at + 2)];
  const nibbles = at + AFTER_SCALES + (fifths === undefined ? 0 : 32);
  for (let group = 0; group < 8; group++) {
    const { scale, least } = sixBits(bytes, at + SCALES, group);
    const [step, base] = [d * scale, dmin * least];
    const shift = group % 2 === 0 ? 0 : 4;
    const begin = nibbles + (group >> 1) * 32;
    for (let index = 0; index < 32; index++) {
      const fifth = fifths === undefined ? 0 : (((bytes[fifths + index] as number) >> group) & 1) << 4;
      values[to + group * 32 + index] = step * ((((bytes[begin + index] as number) >> shift) & 15) | fifth) - base;
    }
  }
}

/** 128 bytes of low nibbles, 64 of upper bit pairs, 16 signed scales, d; `value = d × scale × (number of six bits − 32)`, a scale for 16 values. */
export function fromQ6_K(bytes: Uint8Array, at: number, values: Float32Array, to: number): void {
  const d = fromHalf(bytes, at + 208);
  for (let half = 0; half < 2; half++) {
    for (let quarter = 0; quarter < 4; quarter++) {
      const low = at + half * QUARTER + (quarter % 2) * 32;
      const high = at + 128 + half * 32;
      const first = to + half * 128 + quarter * 32;
      for (let index = 0; index < 32; index++) {
        const bits =
          (((bytes[low + index] as number) >> (quarter < 2 ? 0 : 4)) & 15) |
          ((((bytes[high + index] as number) >> (2 * quarter)) & 3) << 4);
        const scale = ((bytes[at + 192 + half * 8 + quarter * 2 + (index >> 4)] as number) << 24) >> 24;
        values[first + index] = d * scale * (bits - 32);
      }
    }
  }
}
