/** Numbers of 32 bits as a text: base64, in this machine’s order of bytes. For another process of it. */
export function packed(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');
}

/** @throws RangeError where it is no whole number of them */
export function unpacked(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) throw new RangeError('no numbers of 32 bits');
  return new Float32Array(new Uint8Array(bytes).buffer);
}
