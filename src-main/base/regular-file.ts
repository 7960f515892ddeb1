import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file to be read, without waiting at a pipe for somebody at its other end: four of them would hold up every file of this process.
 * @returns undefined where it is no file: a pipe, a device, a folder @throws what the file system throws
 */
export async function openRegular(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // Windows has no such flag
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Its bytes, from the beginning. @returns undefined where it has more than `most`: then nothing is read */
export async function bytesAtMost(file: FileHandle, most: number): Promise<Buffer | undefined> {
  const { size } = await file.stat();
  if (size > most) return undefined;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

/** Its text, from the beginning. @param most bytes @returns undefined where it has more: then nothing is read */
export async function readAtMost(file: FileHandle, most: number): Promise<string | undefined> {
  return (await bytesAtMost(file, most))?.toString('utf8');
}
