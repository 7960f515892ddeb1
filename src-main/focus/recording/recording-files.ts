import { type FileHandle, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';

/** The files of recordings: a folder each, below one that no other account of this computer may look into. */
export class RecordingFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Where everything of a recording lies. @param id checked by the contract: it is part of a path */
  of(id: string): string {
    return join(this.folder, id);
  }

  part(id: string, part: number): string {
    return join(this.of(id), `part-${part}.webm`);
  }

  /** All parts in one, with a duration: can be made again. */
  video(id: string): string {
    return join(this.of(id), 'video.webm');
  }

  /** Something that is made of the video and soon fetched; what is left of it is taken away by its ending. @param name twelve hex digits */
  export(id: string, name: string): string {
    return join(this.of(id), `export.webm.${name}.tmp`);
  }

  async removeVideo(id: string): Promise<void> {
    await this.#remove(this.video(id));
  }

  /** Opens a part for writing at whatever place, and makes its folder. */
  async openPart(id: string, part: number): Promise<FileHandle> {
    await makeFolder(this.folder, 0o700);
    await makeFolder(this.of(id), 0o700);
    const path = this.part(id, part);
    return await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return open(path, 'wx+', 0o600);
    });
  }

  /** Cuts a part to so many bytes: what is beyond them was not written to its end. A part that has none goes away whole. */
  async cut(id: string, part: number, bytes: number): Promise<void> {
    if (bytes === 0) return this.#remove(this.part(id, part));
    await truncate(this.part(id, part), bytes);
  }

  /** Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#remove(this.of(id));
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }
}
