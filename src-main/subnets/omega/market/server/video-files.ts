import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hexPattern } from '../../../../../src-preload/contract/limits.ts';
import { makeFolder } from '../../../../base/folder.ts';
import { freeBytes } from '../../../../base/free-bytes.ts';
import { sha256OfFile } from '../../../../base/sha256.ts';
import { ifMissing } from '../../../../base/swallowed.ts';
import { writeFully } from '../../../../base/write-fully.ts';

const ENDING = '.webm';
const ID = hexPattern(16);
const ID_CHARS = 32;

/** The files of offers, below a folder that no other account of this computer may look into. Ids are checked before: they are part of a path. */
export class VideoFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  of(id: string): string {
    return join(this.folder, `${id}${ENDING}`);
  }

  /** Writes bytes at a place, and cuts off what is beyond: it was not written to its end. */
  async write(id: string, at: number, bytes: Uint8Array): Promise<void> {
    await makeFolder(this.folder, 0o700);
    const path = this.of(id);
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return open(path, 'wx+', 0o600);
    });
    try {
      await writeFully(file, bytes, at);
      await file.truncate(at + bytes.length);
    } finally {
      await file.close();
    }
  }

  /** 0 where there is none. */
  async bytesOf(id: string): Promise<number> {
    return (await stat(this.of(id)).catch(ifMissing))?.size ?? 0;
  }

  sha256(id: string, signal: AbortSignal): Promise<string> {
    return sha256OfFile(this.of(id), signal);
  }

  /** Idempotent. */
  async remove(id: string): Promise<void> {
    await rm(this.of(id), { force: true });
  }

  /** Takes away what belongs to no offer. */
  async removeOthers(known: ReadonlySet<string>): Promise<void> {
    const names = (await readdir(this.folder).catch(ifMissing)) ?? [];
    for (const name of names) {
      const [id, ending] = [name.slice(0, ID_CHARS), name.slice(ID_CHARS)];
      if (ID.test(id) && ending === ENDING && !known.has(id)) await rm(join(this.folder, name), { force: true });
    }
  }

  free(): Promise<number> {
    return freeBytes(this.folder);
  }
}
