/**
 * All bytes of a request or an answer, and no more of it is read than may be.
 * @param most bytes
 * @param tooMuch what is thrown once there are more
 * @throws what the body throws, such as where the connection breaks
 */
export async function wholeBody(
  { body }: Pick<Request, 'body'>,
  most: number,
  tooMuch: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > most) throw tooMuch();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}
