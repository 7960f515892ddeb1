import type { FileHandle } from 'node:fs/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  ActivitySecond,
  ChunkActivity,
  Recording,
  RecordingEnd,
  RecordingGrant,
  Taken,
} from '../../../src-preload/contract/focus.ts';
import {
  CLOCK_SLACK_MS,
  LONGEST_RECORDING_MS,
  MAX_CHUNK_BYTES,
  MAX_CHUNKS,
  MAX_PARTS,
} from '../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { randomToken } from '../../base/random-token.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Signer } from '../../base/signing.ts';
import { Turns } from '../../base/turns.ts';
import { writeFully } from '../../base/write-fully.ts';
import type { FocusRecordingStore, StoredChunk } from '../../store/focus/focus-recordings.ts';
import { wrongSize } from '../focus-problems.ts';
import { type ChainRoot, linkChunk } from './chunk-chain.ts';
import { partEnds, type RecordingFiles } from './recording-files.ts';

export interface LiveRecordingNeeds {
  store: FocusRecordingStore;
  files: RecordingFiles;
  signer: Signer;
  /** Why no more is to be taken; null while there is room. Asked after each chunk. */
  isFull: (bytes: number) => Promise<RecordingEnd | null>;
  /** Milliseconds since somebody last used this computer; null where it does not tell. */
  idleMs: () => Promise<number | null>;
  /** Unix milliseconds. */
  now: () => number;
}

/** A chunk as its page hands it over. */
export interface HandedChunk {
  part: number;
  chunk: number;
  activity: ChunkActivity;
  bytes: Uint8Array;
}

/** Who records from here on. */
export interface PageOfStream {
  /** Whether it has begun a new stream. */
  newPart: boolean;
  /** Made up by the page; undefined for one that does not say. */
  page: string | undefined;
}

/**
 * A recording whose page hands over chunks. Each is on the disk, flushed and signed, when `take` has returned: first the bytes, then the row that names
 * them, so that of a chunk which was amid it when the power went nothing is left but bytes beyond the end, which are cut off at the next start.
 */
export class LiveRecording {
  readonly #needs: LiveRecordingNeeds;
  readonly #root: ChainRoot;
  readonly #turns = new Turns();
  /** What the page has to show. */
  readonly token = randomToken();
  readonly page: string | undefined;
  #recording: Recording;
  #last: StoredChunk | undefined;
  #part: number;
  #chunks: number;
  /** Where the part ends that is written. */
  #end = 0;
  #file: FileHandle | undefined;
  /** Whether the computer's clock was put back amid it: then nobody knows how much time went by. */
  #isPutBack: boolean;
  paused = false;
  /** Chunks that are being taken: a slow disk is no silent page. */
  #taking = 0;
  /** When a chunk or a word came last, Unix milliseconds. */
  heardAt: number;

  /** @param part where the page goes on: the last there is, or one more */
  private constructor(
    needs: LiveRecordingNeeds,
    recording: Recording,
    chunks: readonly StoredChunk[],
    { part, page }: { part: number; page: string | undefined },
  ) {
    this.#needs = needs;
    this.page = page;
    this.#recording = recording;
    this.#root = { recording: recording.id, startedAt: recording.startedAt, signer: needs.signer.id };
    this.#last = chunks.at(-1);
    this.#isPutBack = chunks.some(({ at }, index) => at < (chunks[index - 1]?.at ?? recording.startedAt));
    this.#chunks = chunks.length;
    this.#part = part;
    this.heardAt = needs.now();
  }

  /** Goes on where a recording ends, or begins it. */
  static async open(
    needs: LiveRecordingNeeds,
    recording: Recording,
    { newPart, page }: PageOfStream,
  ): Promise<LiveRecording> {
    const chunks = await needs.store.chunks(recording.id);
    const lastPart = chunks.at(-1)?.part ?? 0;
    const part = newPart && chunks.length > 0 ? lastPart + 1 : lastPart;
    const live = new LiveRecording(needs, recording, chunks, { part, page });
    live.#end = partEnds(chunks).get(part) ?? 0;
    live.#file = await needs.files.openPart(recording.id, part);
    return live;
  }

  get isTaking(): boolean {
    return this.#taking > 0;
  }

  get recording(): Recording {
    return this.#recording;
  }

  get grant(): RecordingGrant {
    const { id, activeMs } = this.#recording;
    return { id, token: this.token, part: this.#part, nextChunk: this.#next, activeMs };
  }

  get #next(): number {
    return this.#last?.part === this.#part ? this.#last.chunk + 1 : 0;
  }

  /**
   * Idempotent: a chunk that was taken, and of which the page heard nothing, may come again.
   * @returns where to go on, and why nothing more is to come
   * @throws BAD_REQUEST for one that does not follow on the last, or shows more than has gone by since it began; what the disk throws
   */
  async take(chunk: HandedChunk): Promise<Taken> {
    this.#taking++;
    try {
      return await this.#turns.take(() => this.#take(chunk));
    } finally {
      this.#taking--;
      this.heardAt = this.#needs.now();
    }
  }

  async #take({ part, chunk, activity, bytes }: HandedChunk): Promise<Taken> {
    if (bytes.length === 0 || bytes.length > MAX_CHUNK_BYTES) throw wrongSize();
    if (this.#isTaken(part, chunk, bytes)) return { nextChunk: this.#next, ended: null };
    if (part !== this.#part || chunk !== this.#next) throw wrong(say('focus.order', { part, chunk }));
    if (activity.activeMs < this.#recording.activeMs) throw wrong(say('focus.backwards'));
    this.#checkTime(activity.activeMs);
    const second: ActivitySecond = { ...activity, at: this.#needs.now(), idleMs: await this.#needs.idleMs() };
    const stored = linkChunk(this.#root, this.#last?.link, { ...second, part, chunk, bytes }, this.#needs.signer);
    await this.#write(bytes);
    await this.#needs.store.addChunk(this.#recording.id, stored);
    this.#took(stored);
    return { nextChunk: this.#next, ended: await this.#why(bytes.length) };
  }

  /** @throws BAD_REQUEST where more is shown than has gone by */
  #checkTime(activeMs: number): void {
    const [now, { startedAt }] = [this.#needs.now(), this.#recording];
    this.#isPutBack ||= now < (this.#last?.at ?? startedAt);
    if (this.#isPutBack || activeMs <= now - startedAt + CLOCK_SLACK_MS) return;
    const seconds = (ms: number) => Math.floor(ms / 1_000);
    throw wrong(say('focus.tooFast', { shown: seconds(activeMs), passed: seconds(now - startedAt) }));
  }

  #isTaken(part: number, chunk: number, bytes: Uint8Array): boolean {
    if (this.#last?.part !== part || this.#last.chunk !== chunk) return false;
    return this.#last.sha256 === sha256(bytes).toString('hex');
  }

  /** A write that was not to its end is written over by the next one. */
  async #write(bytes: Uint8Array): Promise<void> {
    if (!this.#file) throw new Error('The recording is closed.');
    await writeFully(this.#file, bytes, this.#end);
    await this.#file.datasync();
  }

  #took(stored: StoredChunk): void {
    this.#last = stored;
    this.#chunks++;
    this.#end += stored.bytes;
    const { bytes } = this.#recording;
    this.#recording = { ...this.#recording, activeMs: stored.activeMs, bytes: bytes + stored.bytes };
  }

  async #why(bytes: number): Promise<RecordingEnd | null> {
    const isLong = this.#recording.activeMs >= LONGEST_RECORDING_MS || this.#chunks >= MAX_CHUNKS;
    return isLong || this.#part >= MAX_PARTS ? 'longest' : await this.#needs.isFull(bytes);
  }

  /**
   * Takes the last milliseconds away, from the disk too, and goes on with a new part; where there is nothing, it goes on as it was.
   * @returns how much was forgotten, milliseconds: whole chunks
   */
  forgetLast(ms: number): Promise<number> {
    return this.#turns.take(async () => {
      if (this.#chunks === 0) return 0;
      const { store, files } = this.#needs;
      const { id, activeMs } = this.#recording;
      await this.#close();
      const kept = (await store.chunks(id)).filter((chunk) => chunk.activeMs <= activeMs - ms);
      // The bytes first: what was to be forgotten is gone, whatever happens then.
      await files.cutTo(id, kept, this.#part);
      this.#recording = await store.removeChunksAfter(id, activeMs - ms);
      this.#last = kept.at(-1);
      this.#chunks = kept.length;
      this.#part++;
      this.#end = 0;
      this.#file = await files.openPart(id, this.#part);
      return activeMs - this.#recording.activeMs;
    });
  }

  /** Resolves when everything that was handed over is on the disk. Idempotent. */
  async close(): Promise<void> {
    await this.#turns.take(() => this.#close());
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

const wrong = (message: ReturnType<typeof say>) => new QuarryError({ code: 'BAD_REQUEST', message });
