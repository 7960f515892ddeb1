/** The few forms of SCALE, the chain's encoding, that are written by hand: what is hashed or locked, and what calls are checked by. */

/** An unsigned number in so many bytes, the lowest first. */
export function littleEndian(value: number | bigint, bytes: number): Uint8Array {
  const digits = BigInt(value)
    .toString(16)
    .padStart(bytes * 2, '0');
  if (digits.length > bytes * 2) throw new RangeError(`${value} has more than ${bytes} bytes`);
  return Buffer.from(digits, 'hex').reverse();
}

/** A compact number up to 2^64: one, two or four bytes, or as many as it needs behind their number. */
export function compact(value: number | bigint): Uint8Array {
  const number = BigInt(value);
  if (number < 1n << 6n) return littleEndian(number << 2n, 1);
  if (number < 1n << 14n) return littleEndian((number << 2n) | 1n, 2);
  if (number < 1n << 30n) return littleEndian((number << 2n) | 2n, 4);
  const length = Math.ceil(number.toString(16).length / 2);
  return Buffer.concat([littleEndian(((length - 4) << 2) | 3, 1), littleEndian(number, length)]);
}

/** `Vec<u8>` */
export function byteVector(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([compact(bytes.length), bytes]);
}

/** `Vec<u16>` */
export function u16Vector(numbers: readonly number[]): Uint8Array {
  return Buffer.concat([compact(numbers.length), ...numbers.map((number) => littleEndian(number, 2))]);
}
