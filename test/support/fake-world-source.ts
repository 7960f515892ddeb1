import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '../../src-main/clips/sources/source.ts';
import type { FoundVideo } from '../../src-preload/contract/data.ts';
import type { FakeClip, FakeWorld } from './fake-world/make-world.ts';

/** So many videos are on a page. */
const PAGE = 50;

/** The fake world as a source that anybody can ask: every topic finds all of it, and its videos are called by their names. */
export class FakeWorldSource implements Source {
  readonly kind = 'commons';
  readonly #world: FakeWorld;

  constructor(world: FakeWorld) {
    this.#world = world;
  }

  async search(_topic: string, { from = '0' }: { from?: string | undefined }) {
    const at = Number(from);
    const found = this.#world.clips.slice(at, at + PAGE).map(FakeWorldSource.saidOf);
    return { found, next: at + PAGE < this.#world.clips.length ? String(at + PAGE) : null };
  }

  async look(id: string): Promise<FoundVideo | null> {
    const clip = this.#world.clips.find(({ name }) => name === id);
    return clip ? FakeWorldSource.saidOf(clip) : null;
  }

  async fetch(id: string, to: string) {
    const clip = this.#world.clips.find(({ name }) => name === id);
    if (!clip) throw new Error(`There is no ${id}.`);
    await copyFile(join(this.#world.folder, clip.file), to);
    return { bytes: (await stat(to)).size, url: `https://videos.example/${id}` };
  }

  /** What it says of a video: not how long it is, nor how many bytes, as with many. */
  static saidOf({ name, title, description, licence }: FakeClip): FoundVideo {
    return {
      ...{ source: 'commons', id: name, title, description, licence, licenceUrl: null },
      ...{ author: 'Ann', attribution: `Ann, ${name}`, page: null, seconds: null, bytes: null },
    };
  }
}
