import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat, utimes } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Gives a file a second name on the same drive: `link` of node:fs/promises. Fails where a drive cannot. */
export type Link = (existing: string, name: string) => Promise<void>;

export interface PlaceOptions {
  link: Link;
  signal?: AbortSignal;
  /** Told how many bytes were copied since it was told last; not called for a link. */
  onBytes?: (bytes: number) => void;
}

/**
 * Puts a file at another path too, over what is there: as a hard link where the drive allows, else as a flushed copy with
 * the same time of change.
 * @returns the SHA-256 of what was copied, 64 hex; undefined for a link
 */
export async function linkOrCopy(source: string, target: string, options: PlaceOptions): Promise<string | undefined> {
  await rm(target, { force: true });
  try {
    await options.link(source, target);
    return undefined;
  } catch {
    return await copy(source, target, options); // if that cannot be either, it says why
  }
}

async function copy(source: string, target: string, { signal, onBytes }: PlaceOptions): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      onBytes?.(chunk.length);
      yield chunk;
    }
  }
  try {
    const output = createWriteStream(target, { flush: true });
    await pipeline(createReadStream(source, { highWaterMark: 1 << 20 }), hashed, output, { signal });
    const { atime, mtimeMs } = await stat(source);
    await utimes(target, atime, mtimeMs / 1_000);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return hash.digest('hex');
}
