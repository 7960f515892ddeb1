/** Numbers of 32 bits as bytes, in this machine’s order: the same memory, not a copy. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The same back, as a copy. @throws RangeError where it is no whole number of them */
export function numbersOf(bytes: Uint8Array): Float32Array {
  if (bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) throw new RangeError('no numbers of 32 bits');
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Numbers of 32 bits as a text: base64. For another process of this machine. */
export const packed = (values: Float32Array): string => bytesOf(values).toString('base64');

/** @throws as {@link numbersOf} */
export const unpacked = (text: string): Float32Array => numbersOf(Buffer.from(text, 'base64'));
