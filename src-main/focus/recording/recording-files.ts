import { type FileHandle, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { removeLeftovers } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { StoredChunk } from '../../store/focus/focus-recordings.ts';

type PartOf = Pick<StoredChunk, 'part' | 'bytes'>;

/** As {@link RecordingFiles.export} names them, and nothing that is still being written. */
const EXPORT = /^export\.webm\.[0-9a-f]{12}\.tmp$/;

/** Something that was made of a recording: its video with what belongs to that, or a file that waits to be taken. */
export interface Made {
  id: string;
  bytes: number;
  /** Where the file lies, of one that was exported. */
  exported?: string;
}

const oldestFirst = (all: readonly (Made & { at: number })[]): Made[] =>
  all.toSorted((a, b) => a.at - b.at).map(({ at: _, ...made }) => made);

/** Where the chunks of each part end in its file. */
export function partEnds(chunks: readonly PartOf[]): Map<number, number> {
  const ends = new Map<number, number>();
  for (const { part, bytes } of chunks) ends.set(part, (ends.get(part) ?? 0) + bytes);
  return ends;
}

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

  /** What the video was made of. */
  aboutVideo(id: string): string {
    return join(this.of(id), 'video.json');
  }

  /** Small pictures of the video, and what is known of them: made when they are first asked for, gone with the video. */
  strip(id: string): { picture: string; about: string } {
    return { picture: join(this.of(id), 'strip.jpg'), about: join(this.of(id), 'strip.json') };
  }

  /** Something that is made of the video and soon fetched; what is left of it is taken away by its ending when a node opens. @param name twelve hex digits */
  export(id: string, name: string): string {
    return join(this.of(id), `export.webm.${name}.tmp`);
  }

  /** What was made of recordings and can be made again: videos first, then what was exported, each the oldest first. */
  async made(): Promise<Made[]> {
    const ids = await this.#ids();
    const all = [];
    for (const id of ids) {
      const { about, picture } = this.strip(id);
      const paths = [this.video(id), this.aboutVideo(id), picture, about];
      const found = await Promise.all(paths.map((path) => stat(path).catch(ifMissing)));
      const bytes = found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
      if (bytes > 0) all.push({ id, bytes, at: found[0]?.mtimeMs ?? 0 });
    }
    return [...oldestFirst(all), ...(await this.#exported(ids))];
  }

  /** Idempotent. */
  async removeMade({ id, exported }: Made): Promise<void> {
    if (exported === undefined) await this.removeVideo(id);
    else await this.#remove(exported);
  }

  /** Deletes what work that was cut off has left. Only where no other process writes here. */
  async removeLeftovers(): Promise<void> {
    for (const id of await this.#ids()) await this.removeExports(id);
  }

  /** Deletes what was exported of a recording, where nothing is being made of it. Idempotent. */
  async removeExports(id: string): Promise<void> {
    await removeLeftovers(this.of(id), () => true);
  }

  /** With what was made of it. Idempotent. */
  async removeVideo(id: string): Promise<void> {
    const { about, picture } = this.strip(id);
    for (const path of [this.aboutVideo(id), about, picture, this.video(id)]) await this.#remove(path);
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

  /** How much is in a part; 0 where it is not there. */
  async bytesOf(id: string, part: number): Promise<number> {
    return (await this.#sizeOf(id, part)) ?? 0;
  }

  /** Cuts all parts where these chunks end: what is beyond them was forgotten, or not written to its end. A part with none of them goes away whole. */
  async cutTo(id: string, chunks: readonly PartOf[], lastPart: number): Promise<void> {
    const ends = partEnds(chunks);
    for (let part = lastPart; part >= 0; part--) {
      const end = ends.get(part) ?? 0;
      const size = await this.#sizeOf(id, part);
      if (size === undefined || size <= end) continue;
      if (end === 0) await this.#remove(this.part(id, part));
      else await truncate(this.part(id, part), end);
    }
  }

  /** Idempotent. */
  async remove(id: string): Promise<void> {
    await this.#remove(this.of(id));
  }

  async #ids(): Promise<string[]> {
    const found = (await readdir(this.folder, { withFileTypes: true }).catch(ifMissing)) ?? [];
    return found.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  }

  async #exported(ids: readonly string[]): Promise<Made[]> {
    const all = [];
    for (const id of ids) {
      const names = (await readdir(this.of(id)).catch(ifMissing)) ?? [];
      for (const exported of names.filter((name) => EXPORT.test(name)).map((name) => join(this.of(id), name))) {
        const found = await stat(exported).catch(ifMissing);
        if (found) all.push({ id, exported, bytes: found.size, at: found.mtimeMs });
      }
    }
    return oldestFirst(all);
  }

  async #sizeOf(id: string, part: number): Promise<number | undefined> {
    return (await stat(this.part(id, part)).catch(ifMissing))?.size;
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true });
  }
}
