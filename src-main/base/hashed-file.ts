import { readFile } from 'node:fs/promises';
import { sha256 } from './sha256.ts';
import { ifMissing } from './swallowed.ts';

/** The bytes of a file that are known by their SHA-256, 64 hex; undefined where it is not there, or has others by now. */
export async function readHashed(path: string, hash: string): Promise<Buffer | undefined> {
  const bytes = await readFile(path).catch(ifMissing);
  return bytes && sha256(bytes).toString('hex') === hash ? bytes : undefined;
}
