import type { FileHandle } from 'node:fs/promises';

/**
 * Writes chunks one after the other from a place in a file on; the system may take fewer bytes at once than it is given.
 * @returns where the last one went, plus 1
 */
export async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<number> {
  let position = at;
  let rest = [...chunks];
  while (rest.length > 0) {
    let { bytesWritten } = await file.writev(rest, position);
    position += bytesWritten;
    while (rest[0] && bytesWritten >= rest[0].length) bytesWritten -= rest.shift()?.length ?? 0;
    const [first, ...others] = rest;
    if (first) rest = [first.subarray(bytesWritten), ...others];
  }
  return position;
}
