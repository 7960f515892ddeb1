import { say } from '../../../src-preload/contract/saying.ts';
import type { Bandwidth } from './bandwidth.ts';
import { type ByteRange, type ByteSource, SourceError } from './byte-source.ts';
import type { DiskRoom } from './disk-room.ts';
import type { PartialFile } from './partial-file.ts';
import { RangeSet } from './ranges.ts';

/** A line that breaks is used again if it gave so many bytes before; else the work is left to those that hold. */
const GOOD_LINE_BYTES = 1 << 20;

export interface RangeReaderOptions extends CopyOptions {
  /** Length of the whole file. */
  length: number;
  /** Bytes asked for at once. */
  segmentBytes: number;
}

/** Fetches what is missing of a file from one source, over as many lines as the source allows. */
export class RangeReader {
  readonly #options: RangeReaderOptions;
  /** What is in the file, and what some line is fetching. */
  readonly #taken: RangeSet;

  constructor(options: RangeReaderOptions) {
    this.#options = options;
    this.#taken = new RangeSet(options.partial.ranges);
  }

  /**
   * Resolves when the file is complete.
   * @throws SourceError when no line is left that holds; what a write threw; the signal's reason
   */
  async run(signal: AbortSignal): Promise<void> {
    const { source, partial } = this.#options;
    const ending = new AbortController();
    const together = AbortSignal.any([signal, ending.signal]);
    const line = async () => {
      await this.#readSegments(together).catch((error) => {
        if (!isLineTrouble(error)) ending.abort(error); // a full disk, another file: that ends all lines
        throw error;
      });
    };
    const ended = await Promise.allSettled(Array.from({ length: source.parallel }, line));
    signal.throwIfAborted();
    ending.signal.throwIfAborted();
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed && !partial.complete) throw failed.reason;
  }

  async #readSegments(signal: AbortSignal): Promise<void> {
    for (let segment = this.#take(); segment; segment = this.#take()) {
      const rest = { ...segment };
      try {
        await copyRange(this.#options, rest, signal);
      } catch (error) {
        if (!isLineTrouble(error) || rest.start - segment.start < GOOD_LINE_BYTES) throw error;
      } finally {
        this.#taken.remove(rest);
      }
    }
  }

  /** The first bytes that are missing and that no line is fetching; all of them where one line works alone. */
  #take(): ByteRange | undefined {
    const { source, length, segmentBytes } = this.#options;
    const gap = this.#taken.firstGap(length);
    if (!gap) return undefined;
    const most = source.parallel === 1 ? length : segmentBytes;
    const segment = { start: gap.start, end: Math.min(gap.end, gap.start + most) };
    this.#taken.add(segment);
    return segment;
  }
}

/** It says something of one connection only, perhaps of one too many. */
function isLineTrouble(error: unknown): boolean {
  return error instanceof SourceError && (error.reason === 'lost' || error.reason === 'busy');
}

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
    if (bytes > range.end - range.start) throw new SourceError('gone', say('download.sentMore', { name: source.name }));
    await bandwidth.take(bytes, signal);
    await room.allow(partial, bytes);
    await partial.write(batch, range.start);
    range.start += bytes;
    onBytes(bytes);
  }
  if (range.start === begin) throw new SourceError('lost', say('download.sentNothing', { name: source.name }));
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
