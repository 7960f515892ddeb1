import { open } from 'node:fs/promises';
import type { ActivitySecond, ChainCheck, Recording, RecordingState } from '../../../src-preload/contract/focus.ts';
import type { TaskKind } from '../../../src-preload/contract/focus-task-kinds.ts';
import { mostMoved } from '../../../src-preload/contract/most-moved.ts';
import type { Verify } from '../../base/signing.ts';
import type { FocusRecordingStore, StoredChunk } from '../../store/focus/focus-recordings.ts';
import { unknownRecording } from '../focus-problems.ts';
import type { Videos } from '../media/videos.ts';
import { checkOwnWords } from '../own-words.ts';
import { checkChain, hasBegun } from '../recording/chunk-chain.ts';
import type { Recorder } from '../recording/recorder.ts';
import { partEnds, type RecordingFiles } from '../recording/recording-files.ts';

export interface LibraryOptions {
  store: FocusRecordingStore;
  files: RecordingFiles;
  recorder: Pick<Recorder, 'apart' | 'still' | 'recount'>;
  videos: Pick<Videos, 'without'>;
  /** Whose key signs what is recorded here now, and how signatures are checked. */
  signer: string;
  verify: Verify;
}

/** What was recorded on this computer. */
export class Library {
  readonly #options: LibraryOptions;

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** Writes down of recordings from before that was kept, whose key signed them, where that is today’s. Idempotent. */
  async open(): Promise<void> {
    const { store, signer, verify } = this.#options;
    for (const { id, startedAt } of await store.withoutSigner()) {
      const first = await store.firstChunk(id);
      if (first && hasBegun({ recording: id, startedAt, signer }, first, verify)) await store.setSigner(id, signer);
    }
  }

  /** Newest first. @param before Unix milliseconds: those that began earlier */
  async list(asked: {
    text: string;
    before?: number | undefined;
    limit: number;
    kind?: TaskKind | undefined;
    state?: RecordingState | undefined;
  }) {
    const found = await this.#options.store.list({ ...asked, limit: asked.limit + 1 });
    return { recordings: found.slice(0, asked.limit), more: found.length > asked.limit };
  }

  /** @throws BAD_REQUEST for one that is not there */
  async get(id: string): Promise<Recording> {
    const recording = await this.#options.store.get(id);
    if (!recording) throw unknownRecording();
    return recording;
  }

  /** Those whose id begins like that, at most two: one is meant, two are too many. */
  find(beginning: string): Promise<Recording[]> {
    return this.#options.store.startingWith(beginning, 2);
  }

  /** @throws BAD_REQUEST for one that is not there, or whose words are not one’s own: see {@link checkOwnWords} */
  async update(
    id: string,
    change: { title?: string | undefined; description?: string | undefined },
  ): Promise<Recording> {
    checkOwnWords(await this.get(id));
    await this.#options.store.update(id, change);
    return await this.get(id);
  }

  /**
   * Deletes every trace of them: the files first, so that what is killed amid it is still in the list, and can be deleted again. Idempotent.
   * @throws BAD_REQUEST for one that is being recorded
   */
  async remove(ids: readonly string[]): Promise<void> {
    const { store, recorder, videos } = this.#options;
    for (const id of ids) await videos.without(id, () => recorder.apart(id, () => this.#remove(id)));
    await store.forgetDeleted();
    await recorder.recount();
  }

  /** What was done, second by second. @throws BAD_REQUEST for one that is not there */
  async activity(id: string): Promise<ActivitySecond[]> {
    await this.get(id);
    return await this.#options.store.activity(id);
  }

  /** The most that moved in each of so many stretches, or fewer. @throws BAD_REQUEST for one that is not there */
  async motion(id: string, bars: number): Promise<number[]> {
    await this.get(id);
    return mostMoved(await this.#options.store.motion(id), bars);
  }

  /**
   * Reads all of it, while nothing of it is forgotten, and looks whether it is as it was signed; and once it stands still, whether there is more or less than what was signed: bytes behind
   * those of a part’s chunks break its last one, and chunks that are gone from the end the one after them.
   * @throws BAD_REQUEST for one that is not there
   */
  check(id: string): Promise<ChainCheck> {
    return this.#options.recorder.still(id, () => this.#check(id));
  }

  /** Whose key its chunks are signed with, 64 hex: that which the node had when it was recorded. */
  async signerOf(id: string): Promise<string> {
    return (await this.#options.store.signerOf(id)) ?? this.#options.signer;
  }

  async #check(id: string): Promise<ChainCheck> {
    const { store, files, verify } = this.#options;
    const { startedAt, state, bytes, activeMs } = await this.get(id);
    await using reader = new ChunkReader(files, id);
    const signer = await this.signerOf(id);
    const root = { recording: id, startedAt, signer };
    const chunks = await store.chunks(id);
    const found = await checkChain(root, chunks, (chunk) => reader.read(chunk), verify);
    const checked = { ...found, otherSigner: signer === this.#options.signer ? null : signer };
    if (checked.brokenAt !== null || state === 'recording') return checked;
    for (const [part, end] of partEnds(chunks)) {
      const isLonger = (await files.bytesOf(id, part)) > end;
      if (isLonger) return { ...checked, brokenAt: chunks.findLastIndex((chunk) => chunk.part === part) };
    }
    const sum = chunks.reduce((all, chunk) => all + chunk.bytes, 0);
    const isAll = sum === bytes && (chunks.at(-1)?.activeMs ?? 0) === activeMs;
    return isAll ? checked : { ...checked, brokenAt: chunks.length };
  }

  async #remove(id: string): Promise<void> {
    const { store, files } = this.#options;
    await files.remove(id);
    await store.remove(id);
  }
}

/** Reads chunks one after the other, each part from its beginning. */
class ChunkReader {
  readonly #files: RecordingFiles;
  readonly #id: string;
  #part = -1;
  #at = 0;
  #file: Awaited<ReturnType<typeof open>> | undefined;

  constructor(files: RecordingFiles, id: string) {
    this.#files = files;
    this.#id = id;
  }

  async read({ part, bytes }: StoredChunk): Promise<Uint8Array> {
    if (part !== this.#part) await this.#turnTo(part);
    const into = Buffer.alloc(bytes);
    const { bytesRead } = (await this.#file?.read(into, 0, bytes, this.#at)) ?? { bytesRead: 0 };
    this.#at += bytes;
    return into.subarray(0, bytesRead);
  }

  async #turnTo(part: number): Promise<void> {
    await this[Symbol.asyncDispose]();
    this.#part = part;
    this.#at = 0;
    this.#file = await open(this.#files.part(this.#id, part)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined; // what is not there is not as it was signed
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
