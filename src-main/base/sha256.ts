import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** SHA-256 of bytes, or of a text's UTF-8; 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/**
 * SHA-256 of a file of any size, 64 hex.
 * @param onBytes told how many bytes were read since it was told last
 */
export async function sha256OfFile(
  path: string,
  signal?: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    digest.update(chunk);
    onBytes?.(chunk.length);
  }
  return digest.digest('hex');
}
