import type { FocusState, RecordingEnd } from '../../../src-preload/contract/focus.ts';
import { freeBytes } from '../../base/free-bytes.ts';
import type { FocusRecordingStore } from '../../store/focus/focus-recordings.ts';
import { noRoom } from '../focus-problems.ts';
import type { RecordingFiles } from './recording-files.ts';

export interface RecordingRoomOptions {
  store: FocusRecordingStore;
  files: RecordingFiles;
  /** Bytes that all recordings may take together. Read anew. */
  budget: () => number;
  /** Bytes free on the drive of a folder. Default: what the system says. */
  free?: (folder: string) => Promise<number>;
}

/** Left free on the drive: a database that cannot write is worse than a shorter recording. */
export const RESERVE_BYTES = 512 << 20;
/** The drive is looked at each time that so much was written. */
const LOOK_BYTES = 16 << 20;

/** The room for recordings and for what was made of them: within the budget, and as far as the drive has some. */
export class RecordingRoom {
  readonly #options: RecordingRoomOptions;
  /** Whether it was looked at what there is: when somebody first asks, and not at each start of each command. */
  #isCounted = false;
  /** Of all recordings, with what comes in and what was made of them. */
  #used = 0;
  #madeBytes = 0;
  /** Written since the drive was looked at. */
  #unseen = 0;

  constructor(options: RecordingRoomOptions) {
    this.#options = options;
  }

  /** As the screens show it. */
  async state(): Promise<FocusState['room']> {
    if (!this.#isCounted) await this.count();
    const { count, bytes } = await this.#options.store.sums();
    return { count, bytes: bytes + this.#madeBytes, budgetBytes: this.#options.budget() };
  }

  /** Looks anew at what there is: something was deleted, or made. */
  async count(): Promise<void> {
    const { store, files } = this.#options;
    this.#madeBytes = (await files.made()).reduce((sum, { bytes }) => sum + bytes, 0);
    this.#used = (await store.sums()).bytes + this.#madeBytes;
    this.#isCounted = true;
  }

  /** @throws DISK_FULL where a recording cannot begin */
  async check(): Promise<void> {
    if (!this.#isCounted) await this.count();
    await this.#makeWay();
    const [free, budget] = [await this.#free(), this.#options.budget()];
    const { folder } = this.#options.files;
    if (free < 2 * RESERVE_BYTES || this.#used >= budget) throw noRoom({ folder, free, used: this.#used, budget });
  }

  /**
   * Counts what was written just now.
   * @returns why no more may come; null while there is room
   */
  async took(bytes: number): Promise<RecordingEnd | null> {
    this.#used += bytes;
    this.#unseen += bytes;
    await this.#makeWay();
    if (this.#used >= this.#options.budget()) return 'budget';
    if (this.#unseen < LOOK_BYTES) return null;
    this.#unseen = 0;
    return (await this.#free()) < RESERVE_BYTES ? 'disk' : null;
  }

  /** What was made of recordings gives way to what is recorded, the oldest first: it can be made again. */
  async #makeWay(): Promise<void> {
    if (this.#madeBytes === 0 || this.#used < this.#options.budget()) return;
    for (const made of await this.#options.files.made()) {
      if (this.#used < this.#options.budget()) return;
      await this.#options.files.removeMade(made);
      this.#used -= made.bytes;
      this.#madeBytes -= made.bytes;
    }
  }

  #free(): Promise<number> {
    const { free = freeBytes, files } = this.#options;
    return free(files.folder);
  }
}
