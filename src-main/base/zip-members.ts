import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** A zip that is no use: damaged (or it wants to lead elsewhere), with something in it twice, or larger than it may be. */
export class ZipFault extends Error {
  readonly kind: 'damaged' | 'tooLarge';

  constructor(kind: ZipFault['kind'], options?: { cause?: unknown }) {
    super(`a zip that is ${kind}`, options);
    this.name = 'ZipFault';
    this.kind = kind;
  }
}

/** What may be taken of an untrusted zip. */
export interface ZipWish {
  /** Where a member goes, by its name in the zip: a path where nothing is yet; undefined for one that is not wanted. */
  targetOf(name: string): string | undefined;
  /** Bytes that a member may have: of a larger one none is written. */
  mostBytes: number;
  /** Members that are looked at. */
  mostMembers: number;
}

/**
 * Takes files out of an untrusted zip. What of them is written when it fails is left to whoever asked.
 * @returns the targets that were written
 * @throws ZipFault; what the system says, which is no fault of the zip
 */
export async function takeFromZip(path: string, { targetOf, mostBytes, mostMembers }: ZipWish): Promise<Set<string>> {
  const taken = new Set<string>();
  const zip = await openPromise(path, { autoClose: false }).catch(damaged);
  try {
    for await (const entry of entriesOf(zip, mostMembers)) {
      const target = targetOf(entry.fileName);
      if (target === undefined) continue;
      if (taken.has(target) || !entry.canDecodeFileData()) throw new ZipFault('damaged');
      if (entry.uncompressedSize > mostBytes) throw new ZipFault('tooLarge');
      taken.add(target);
      const bytes = await zip.openReadStreamPromise(entry);
      await pipeline(bytes, summed(entry.crc32), createWriteStream(target, { flags: 'wx', flush: true }));
    }
  } catch (error) {
    damaged(error);
  } finally {
    zip.close();
  }
  return taken;
}

async function* entriesOf(zip: ZipFile, most: number): AsyncGenerator<Entry> {
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    if (++count > most) throw new ZipFault('damaged');
    yield entry;
  }
}

/** Lets bytes through. @throws ZipFault at their end, when they are not those that were put in */
function summed(wanted: number) {
  return async function* (bytes: AsyncIterable<Buffer>) {
    let sum = 0;
    for await (const chunk of bytes) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== wanted) throw new ZipFault('damaged');
  };
}

/** What the system says stays as it is: a full disk is no fault of the file. */
function damaged(error: unknown): never {
  if (error instanceof Error && ('syscall' in error || error instanceof ZipFault)) throw error;
  throw new ZipFault('damaged', { cause: error });
}
