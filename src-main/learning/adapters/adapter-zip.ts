import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ZipFile as ZipWriter } from 'yazl';
import { say } from '../../../src-preload/contract/saying.ts';
import { invalidAdapter } from '../formats/adapter-error.ts';

/** Entries that are looked at: an adapter’s zip has a handful. */
const MOST_ENTRIES = 256;

/** Writes files into a zip. Numbers hardly shrink: they are stored as they are. @param target not there yet @param at of the files in it, Unix milliseconds */
export async function zipFiles(target: string, folder: string, names: readonly string[], at: number): Promise<void> {
  const zip = new ZipWriter();
  for (const name of names)
    zip.addFile(join(folder, name), name, { compress: false, mtime: new Date(at), mode: 0o100644 });
  const output = zip.outputStream as Readable;
  zip.once('error', (error) => output.destroy(error));
  zip.end();
  await pipeline(output, createWriteStream(target, { flags: 'wx', flush: true }));
}

/**
 * Takes a file out of an untrusted zip, wherever in it it lies.
 * @param target a folder without it
 * @param most bytes that it may have: of a larger one none is written
 * @returns whether it was there
 * @throws ADAPTER_INVALID when the zip is damaged, or has it twice or too large
 */
export async function unzipOne(path: string, target: string, name: string, most: number): Promise<boolean> {
  let isFound = false;
  const zip = await openPromise(path, { autoClose: false }).catch(damaged);
  try {
    for await (const entry of entriesOf(zip)) {
      if (entry.fileName !== name && !entry.fileName.endsWith(`/${name}`)) continue;
      if (isFound || !entry.canDecodeFileData()) throw unusable();
      if (entry.uncompressedSize > most) throw invalidAdapter(say('adapters.tooLarge'));
      isFound = true;
      const bytes = await zip.openReadStreamPromise(entry);
      await pipeline(bytes, summed(entry.crc32), createWriteStream(join(target, name), { flags: 'wx' }));
    }
  } catch (error) {
    damaged(error);
  } finally {
    zip.close();
  }
  return isFound;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    if (++count > MOST_ENTRIES) throw unusable();
    yield entry;
  }
}

/** Lets bytes through. @throws ADAPTER_INVALID at their end, when they are not those that were put in */
function summed(wanted: number) {
  return async function* (bytes: AsyncIterable<Buffer>) {
    let sum = 0;
    for await (const chunk of bytes) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== wanted) throw unusable();
  };
}

const unusable = () => invalidAdapter(say('adapters.zip'));

/** What the system says stays as it is: a full disk is no fault of the file. */
function damaged(error: unknown): never {
  if (error instanceof Error && ('syscall' in error || error.name === 'QuarryError')) throw error;
  throw invalidAdapter(say('adapters.zip'), { cause: error });
}
