/**
 * Whether a packet has pictures that it does not show: of later moments, which others are made of. Such packets are superframes, and end with an index
 * whose first and last byte are the same (VP9 bitstream specification 0.6, annex B).
 */
export function hasHiddenPictures(data: Uint8Array): boolean {
  const marker = data.at(-1) ?? 0;
  if ((marker & 0b1110_0000) !== 0b1100_0000) return false;
  const [pictures, sizeBytes] = [(marker & 0b111) + 1, ((marker >> 3) & 0b11) + 1];
  return data.at(-2 - pictures * sizeBytes) === marker;
}
