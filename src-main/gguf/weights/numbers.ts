const bits = new Int32Array(1);
const float = new Float32Array(bits.buffer);

/** Four bytes as a whole number of 32 bits, little endian. */
export function fourBytes(bytes: Uint8Array, at: number): number {
  return twoBytes(bytes, at) | (twoBytes(bytes, at + 2) << 16);
}

function twoBytes(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

/** A little-endian number of IEEE 754 single precision. */
export function fromSingle(bytes: Uint8Array, at: number): number {
  bits[0] = fourBytes(bytes, at);
  return float[0] as number;
}

/** «bfloat16»: the upper half of a number of single precision. */
export function fromBrain(bytes: Uint8Array, at: number): number {
  bits[0] = twoBytes(bytes, at) << 16;
  return float[0] as number;
}

let table: Float32Array | undefined;

/** A little-endian number of IEEE 754 half precision. */
export function fromHalf(bytes: Uint8Array, at: number): number {
  table ??= Float32Array.from({ length: 65_536 }, (_, half) => halfOf(half));
  return table[twoBytes(bytes, at)] as number;
}

function halfOf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = (half & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}
