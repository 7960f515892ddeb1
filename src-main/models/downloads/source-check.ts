import { dirname } from 'node:path';
import { type ByteSource, SourceError } from './byte-source.ts';
import { noRoom, refused } from './download-problems.ts';
import type { PartialFile } from './partial-file.ts';

/** Left free on the drive: a database that cannot write is worse than a model that is not there. */
const RESERVE_BYTES = 64 << 20;

/** What a source has, by its own word. */
export interface Offer {
  source: ByteSource;
  validator: string | undefined;
  /** Of the whole file. */
  length: number;
}

/**
 * Whether what a source has goes together with what is here.
 * @throws SourceError: `gone` when it is not the file, `changed` when it may not be the file any more that it gave bytes of
 */
export function checkOffer({ source, validator, length }: Offer, partial: PartialFile, maxBytes: number): void {
  const { wanted, givers, bytes: expected } = partial.state;
  if (length > maxBytes) throw refused(source, `it has ${length} bytes, and at most ${maxBytes} are taken`);
  if (length !== (wanted.bytes ?? length)) throw refused(source, `it has ${length} bytes, not ${wanted.bytes}`);
  if (partial.received === 0) return;
  if (source.name in givers) {
    const same = length === expected && (givers[source.name] ?? undefined) === validator;
    // Without a validator and without a hash nobody would notice that the file was replaced meanwhile.
    const known = validator !== undefined || wanted.sha256 !== undefined;
    if (!same || !known) throw new SourceError('changed', `${source.name} may have another file now than before.`);
    return;
  }
  if (length !== expected) throw refused(source, `it has ${length} bytes, not ${expected}`);
  if (!wanted.sha256) throw refused(source, 'without a SHA-256 the bytes of two sources are not put together');
}

/**
 * Whether the drive has room for what is still to come.
 * @param freeSpace bytes free on the drive of a folder
 * @throws DISK_FULL
 */
export async function checkRoom(
  partial: PartialFile,
  length: number,
  freeSpace: (folder: string) => Promise<number>,
): Promise<void> {
  const folder = dirname(partial.path);
  const free = await freeSpace(folder);
  const needed = length - partial.received;
  if (needed + RESERVE_BYTES > free) throw noRoom(partial.state.wanted.name, needed, free, folder);
}
