import type { ClipJobStore } from '../../store/clips/clip-jobs.ts';
import type { ClipStore } from '../../store/clips/clips.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';

export interface DiskRoomOptions {
  jobs: ClipJobStore;
  clips: ClipStore;
  folder: ClipFolder;
  /** Bytes that clips and what was fetched may take together. */
  budget: () => number;
  /** Bytes that the drive has left. */
  free: () => Promise<number>;
}

/** So many bytes of the drive stay free, whatever the budget says. */
const LEFT_FREE = 500_000_000;

/** How many bytes may still be written. */
export class DiskRoom {
  readonly #options: DiskRoomOptions;

  constructor(options: DiskRoomOptions) {
    this.#options = options;
  }

  /** Of clips and of what was fetched and lies here. */
  async used(): Promise<number> {
    const [jobs, clips] = await Promise.all([this.#options.jobs.sums(), this.#options.clips.sums()]);
    return jobs.bytes + clips.bytes;
  }

  /**
   * Sees to it that there is room, as far as that can be: what was fetched and is not worked on goes, the oldest first.
   * @returns bytes that may be written: fewer than are wanted where there is no more
   */
  async make(bytes: number): Promise<number> {
    for (;;) {
      const room = await this.#room();
      if (room >= bytes) return room;
      const [oldest] = await this.#options.jobs.fetched(1);
      if (!oldest) return Math.max(0, room);
      await this.#options.folder.removeFetched(oldest.number);
      await this.#options.jobs.set(oldest.number, { bytes: 0 });
    }
  }

  async #room(): Promise<number> {
    const { budget, free } = this.#options;
    return Math.min(budget() - (await this.used()), (await free()) - LEFT_FREE);
  }
}
