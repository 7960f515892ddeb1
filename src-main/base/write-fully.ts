import type { FileHandle } from 'node:fs/promises';

/** Writes all of the bytes at a place in a file: the system may take fewer at once. @throws what the system says; some of them may be there then */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
