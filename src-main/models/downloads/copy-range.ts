import type { Bandwidth } from './bandwidth.ts';
import { type ByteRange, type ByteSource, SourceError } from './byte-source.ts';
import type { DiskRoom } from './disk-room.ts';
import type { PartialFile } from './partial-file.ts';

/** Bytes handed to the disk at once, and the most pieces: systems take no more than 1,024. */
const WRITE_BYTES = 1 << 20;
const WRITE_PIECES = 512;

export interface CopyOptions {
  source: ByteSource;
  partial: PartialFile;
  bandwidth: Bandwidth;
  room: DiskRoom;
  /** Called with the number of bytes, once they are in the file. */
  onBytes: (count: number) => void;
}

/**
 * Copies bytes of a source into the file, until the range's end or as far as the source goes.
 * @param range its start moves along with what is in the file
 * @throws SourceError, also when nothing came; DISK_FULL; what a write threw; the signal's reason
 */
export async function copyRange(options: CopyOptions, range: ByteRange, signal: AbortSignal): Promise<void> {
  const { source, partial, bandwidth, room, onBytes } = options;
  const begin = range.start;
  for await (const batch of batches(source.read({ ...range }, signal))) {
    const bytes = batch.reduce((sum, { length }) => sum + length, 0);
    if (bytes > range.end - range.start) throw new SourceError('gone', `${source.name} sent more than was asked for.`);
    await bandwidth.take(bytes, signal);
    await room.allow(partial, bytes);
    await partial.write(batch, range.start);
    range.start += bytes;
    onBytes(bytes);
  }
  if (range.start === begin) throw new SourceError('lost', `${source.name} sent nothing.`);
}

/** Pieces in handfuls that are worth a write. What came before a failure comes before the failure here too. */
async function* batches(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[], void, undefined> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  let failure: { error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      batch.push(piece);
      bytes += piece.length;
      if (bytes < WRITE_BYTES && batch.length < WRITE_PIECES) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
  } catch (error) {
    failure = { error };
  }
  if (bytes > 0) yield batch;
  if (failure) throw failure.error;
}
