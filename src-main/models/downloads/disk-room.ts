import { freeBytes } from '../../base/free-bytes.ts';
import { nearlyFull, noRoom } from './download-problems.ts';
import type { PartialFile } from './partial-file.ts';

/** Left free on the drive: a database that cannot write is worse than a model that is not there. */
const RESERVE_BYTES = 64 << 20;
/** The drive is looked at again each time that so many bytes are to be written: half the reserve may come in between. */
const LOOK_BYTES = 32 << 20;

/** Bytes free on the drive of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

/** The free space of a drive, shared out among all downloads: no two count on the same bytes. */
export class DiskRoom {
  readonly #folder: string;
  readonly #freeSpace: FreeSpace;
  /** Lengths of the files that are being fetched, where they are known. */
  readonly #lengths = new Map<PartialFile, number>();
  #unseen = 0;

  /** @param freeSpace Default: what the system says */
  constructor(folder: string, freeSpace: FreeSpace = freeBytes) {
    this.#folder = folder;
    this.#freeSpace = freeSpace;
  }

  /**
   * Keeps room for what is still to come of a file, until `release`.
   * @param length of the whole file
   * @throws DISK_FULL
   */
  async reserve(partial: PartialFile, length: number): Promise<void> {
    const free = (await this.#freeSpace(this.#folder)) - this.#promised(partial);
    const needed = length - partial.received;
    if (needed + RESERVE_BYTES > free) throw noRoom(partial.state.wanted.name, needed, Math.max(0, free), this.#folder);
    this.#lengths.set(partial, length);
  }

  /**
   * To be asked before bytes are written: other programs write too, and not every file's length is known.
   * @throws DISK_FULL
   */
  async allow(partial: PartialFile, bytes: number): Promise<void> {
    this.#unseen += bytes;
    if (this.#unseen < LOOK_BYTES) return;
    this.#unseen = 0;
    const free = (await this.#freeSpace(this.#folder)) - this.#promised(partial);
    if (bytes + RESERVE_BYTES > free) throw nearlyFull(this.#folder);
  }

  /** Nothing more comes of it for now. Idempotent. */
  release(partial: PartialFile): void {
    this.#lengths.delete(partial);
  }

  /** What the others still need. Looked at after the drive, and at once: two that ask together see each other. */
  #promised(partial: PartialFile): number {
    const others = [...this.#lengths].filter(([other]) => other !== partial);
    return others.reduce((sum, [{ received }, length]) => sum + Math.max(0, length - received), 0);
  }
}
