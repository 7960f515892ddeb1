import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import type { WantedModel } from '../wanted-model.ts';
import type { ByteRange } from './byte-source.ts';
import type { DownloadState, SourceChoice } from './download-record.ts';
import { DownloadRecord, recordPath } from './download-record.ts';
import { RangeSet } from './ranges.ts';
import { RunningHash } from './running-hash.ts';

/** New bytes are flushed once there are so many of them, or once so many milliseconds have passed. */
const FLUSH_BYTES = 128 << 20;
const FLUSH_MS = 1_000;
/** Writers wait for the disk when so many bytes are not flushed: no more than this is fetched again after a crash. */
const MAX_UNFLUSHED = 2 * FLUSH_BYTES;

/**
 * A file that grows in pieces, in any order: `NAME.partial`. Its record says what of it is there, and says so only after the
 * bytes were flushed to the disk: whatever happens, what it says is true.
 */
export class PartialFile {
  readonly path: string;
  readonly #record: DownloadRecord;
  readonly #now: () => number;
  #written: RangeSet;
  #open: { file: FileHandle; hash: RunningHash } | undefined;
  #flushing: Promise<void> | undefined;
  #failure: unknown;
  #unflushed = 0;
  #flushedAt: number;

  private constructor(path: string, record: DownloadRecord, now: () => number) {
    this.path = path;
    this.#record = record;
    this.#written = new RangeSet(record.state.done);
    this.#now = now;
    this.#flushedAt = now();
  }

  /**
   * An empty one; what was there under its name is lost.
   * @param now milliseconds of a clock that never goes back
   */
  static async create(folder: string, wanted: WantedModel, from: SourceChoice, now = monotonic): Promise<PartialFile> {
    const path = partialPath(folder, wanted.name);
    const partial = new PartialFile(path, DownloadRecord.begin(folder, wanted, from), now);
    await partial.remove();
    await (await open(path, 'w')).close();
    await partial.#record.change({});
    return partial;
  }

  /**
   * The one that was there before, perhaps in another process. Undefined, with what is left of it deleted, when its record
   * cannot be trusted; or when it has become a model already, and only the record stayed.
   * @throws what reading threw, or DOWNLOAD_FAILED when it is a newer Quarry's: then nothing is deleted
   */
  static async load(folder: string, name: string, now = monotonic): Promise<PartialFile | undefined> {
    const path = partialPath(folder, name);
    const record = await DownloadRecord.load(folder, name);
    const partial = record && new PartialFile(path, record, now);
    if (await partial?.intact()) return partial;
    await rm(path, { force: true });
    await record?.remove();
    return undefined;
  }

  /** What the record says. */
  get state(): Readonly<DownloadState> {
    return this.#record.state;
  }

  /** How many bytes are here, flushed or not. */
  get received(): number {
    return this.#written.bytes;
  }

  /** What is here, flushed or not. */
  get ranges(): ByteRange[] {
    return this.#written.ranges;
  }

  get complete(): boolean {
    const { bytes } = this.state;
    return bytes !== null && this.#written.firstGap(bytes) === undefined;
  }

  /** Deletes what there is of one, whatever it is. */
  static async erase(folder: string, name: string): Promise<void> {
    await rm(partialPath(folder, name), { force: true });
    await rm(recordPath(folder, name), { force: true });
  }

  /** Whether the file is there, and as long as the record says. */
  async intact(): Promise<boolean> {
    const { size } = (await stat(this.path).catch(ifMissing)) ?? {};
    return size !== undefined && size >= (this.state.done.at(-1)?.end ?? 0);
  }

  /** Whether the file at its path is the one that is written to: somebody may have moved it away. */
  async isInPlace(): Promise<boolean> {
    const ours = await this.#opened().file.stat({ bigint: true });
    const there = await stat(this.path, { bigint: true }).catch(ifMissing);
    return ours.ino === there?.ino && ours.dev === there.dev;
  }

  /** Makes it ready to be written. Idempotent. */
  async open(): Promise<void> {
    if (this.#open) return;
    const file = await open(this.path, 'r+');
    this.#open = { file, hash: new RunningHash(file.fd) };
  }

  /** Remembers, durably, that bytes of this source will be in it, and how long the file is, where that is known. */
  async expect(source: string, validator: string | undefined, bytes: number | null): Promise<void> {
    const { state } = this;
    // Those before it gave nothing, if nothing is here.
    const givers = { ...(this.received > 0 && state.givers), [source]: validator ?? null };
    const known = isDeepStrictEqual(givers, state.givers) && state.bytes === bytes;
    if (!known) await this.#record.change({ givers, bytes });
  }

  async setPaused(paused: boolean): Promise<void> {
    if (this.state.paused !== paused) await this.#record.change({ paused });
  }

  /** Takes other addresses of the same file. */
  async setWanted(wanted: WantedModel, from: SourceChoice): Promise<void> {
    await this.#record.change({ wanted, from });
  }

  /**
   * Puts chunks into the file, one after the other from `at` on. They count once they are flushed, which happens now and
   * then; a flush that failed is told by the next write.
   */
  async write(chunks: readonly Uint8Array[], at: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const { file, hash } = this.#opened();
    const end = await writeAll(file, chunks, at);
    this.#written.add({ start: at, end });
    hash.follow(this.#written.firstGap(Number.POSITIVE_INFINITY)?.start ?? 0);
    this.#unflushed += end - at;
    if (this.#unflushed >= FLUSH_BYTES || this.#now() - this.#flushedAt >= FLUSH_MS) {
      this.#flushing ??= this.#flush();
      if (this.#unflushed >= MAX_UNFLUSHED) await this.#flushing;
    }
  }

  /** Waits until the disk has everything, and the record says so. */
  async flush(): Promise<void> {
    await this.#flushing;
    if (this.#unflushed > 0) await this.#flush();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Of the whole file, 64 hex; once for each time that it was opened or restarted.
   * @throws what reading threw, or the signal's reason
   */
  async sha256(signal: AbortSignal): Promise<string> {
    await this.flush();
    return await this.#opened().hash.digest(this.state.bytes ?? 0, signal);
  }

  /** Forgets all bytes, and the sources with them. */
  async restart(): Promise<void> {
    const { file, hash } = this.#opened();
    await this.#flushing;
    await hash.close();
    this.#written.clear();
    this.#unflushed = 0;
    this.#open = { file, hash: new RunningHash(file.fd) };
    // First the record, then the bytes: it must never speak of bytes that are gone.
    await this.#record.change({ done: [], givers: {}, bytes: this.state.wanted.bytes ?? null });
    await file.truncate(0);
  }

  /** Flushes what it can and lets go of the file. Idempotent. */
  async close(): Promise<void> {
    if (!this.#open) return;
    const { file, hash } = this.#open;
    await this.flush().catch(ignoring('what is not on the disk is fetched again'));
    await hash.close();
    this.#open = undefined;
    await file.close();
    if (this.#failure === undefined) return;
    this.#written = new RangeSet(this.state.done); // the rest may be lost, and is fetched again
    this.#failure = undefined;
  }

  /** Deletes the record: the bytes have got another name. */
  async forget(): Promise<void> {
    await this.#record.remove();
  }

  /** Deletes it all. It must be closed. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    await this.forget();
  }

  #opened(): { file: FileHandle; hash: RunningHash } {
    if (!this.#open) throw new Error(`${this.path} is not open.`);
    return this.#open;
  }

  /** Never throws: a failure is told by the next write or `flush`. */
  async #flush(): Promise<void> {
    const done = this.#written.ranges;
    this.#unflushed = 0;
    this.#flushedAt = this.#now();
    try {
      await this.#opened().file.datasync();
      await this.#record.change({ done });
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#flushing = undefined;
    }
  }
}

function partialPath(folder: string, name: string): string {
  return join(folder, `${name}.partial`);
}

function monotonic(): number {
  return performance.now();
}

/**
 * Writes chunks one after the other from a place in a file on; the system may take fewer bytes at once than it is given.
 * @returns where the last one went, plus 1
 */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], at: number): Promise<number> {
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
