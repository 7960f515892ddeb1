import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import { syncFile, syncFolder } from '../../base/atomic-file.ts';
import { makeFolder } from '../../base/folder.ts';
import { sha256 } from '../../base/sha256.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { Span } from '../media/media.ts';
import { removeFetched } from '../sources/part-file.ts';

export interface ClipPlace {
  clip: string;
  /** `webm`, `mp4`, `matroska`: what its file is. */
  container: string;
}

const WORK = 'work';
/** What was fetched of a video, and what lies beside it so that the fetch can go on. */
const FETCHED = /^(\d+)\.video(?:\..+)?$/;

/** 32 hex: the same stretch of the same video has the same, whenever it is cut. */
export function clipId({ source, id }: VideoRef, { from, to }: Span): string {
  return sha256(JSON.stringify([source, id, from, to]))
    .toString('hex')
    .slice(0, 32);
}

/** Where clips lie, each with a picture beside it, and what is fetched and cut before it is one. */
export class ClipFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes it. Idempotent. */
  async open(): Promise<void> {
    await makeFolder(join(this.#path, WORK), 0o700);
  }

  video({ clip, container }: ClipPlace): string {
    return join(this.#path, clip.slice(0, 2), `${clip}.${container}`);
  }

  /** Whether its video lies there. */
  async has(clip: ClipPlace): Promise<boolean> {
    return (await stat(this.video(clip)).catch(ifMissing))?.isFile() ?? false;
  }

  poster(clip: string): string {
    return join(this.#path, clip.slice(0, 2), `${clip}.jpg`);
  }

  /** What is fetched of a video. @param job its number in the queue */
  fetched(job: number): string {
    return join(this.#path, WORK, `${job}.video`);
  }

  /** A clip before it is one. */
  made({ clip, container }: ClipPlace): { video: string; poster: string } {
    const at = join(this.#path, WORK, clip);
    return { video: `${at}.${container}`, poster: `${at}.jpg` };
  }

  /** Puts a clip that was made in its place, with its bytes on the disk: what comes after may rely on it. */
  async place(clip: ClipPlace): Promise<void> {
    const [made, folder] = [this.made(clip), dirname(this.video(clip))];
    await makeFolder(folder, 0o700);
    for (const [from, to] of [
      [made.poster, this.poster(clip.clip)],
      [made.video, this.video(clip)],
    ] as const) {
      await syncFile(from);
      await rename(from, to);
    }
    await syncFolder(folder);
  }

  /** Deletes a clip's files. What is not there is gone already. */
  async remove(clip: ClipPlace): Promise<void> {
    await rm(this.video(clip), { force: true });
    await rm(this.poster(clip.clip), { force: true });
  }

  /** Deletes what was made of a clip that is none. */
  async drop(clip: ClipPlace): Promise<void> {
    const { video, poster } = this.made(clip);
    await rm(video, { force: true });
    await rm(poster, { force: true });
  }

  /** Of what was fetched of a video: 0 where nothing was. */
  async fetchedBytes(job: number): Promise<number> {
    return (await stat(this.fetched(job)).catch(ifMissing))?.size ?? 0;
  }

  async removeFetched(job: number): Promise<void> {
    await removeFetched(this.fetched(job));
  }

  /** Deletes what a process that died was making. @returns numbers of videos of which something was fetched */
  async sweep(): Promise<number[]> {
    const jobs = new Set<number>();
    for (const name of await readdir(join(this.#path, WORK))) {
      const [, number] = FETCHED.exec(name) ?? [];
      if (number !== undefined) jobs.add(Number(number));
      else await rm(join(this.#path, WORK, name), { recursive: true, force: true });
    }
    return [...jobs];
  }
}
