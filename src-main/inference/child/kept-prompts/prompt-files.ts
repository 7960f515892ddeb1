import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { freeBytes } from '../../../base/free-bytes.ts';
import { ifMissing, ignoring } from '../../../base/swallowed.ts';

/** Left free on the drive: it is only a convenience. */
const RESERVE_BYTES = 1_000_000_000;
/** What is still being written after so long was left behind. */
const WRITTEN_MS = 600_000;
const KEPT = /^([0-9a-f]+)\.([0-9a-f]{8})\.state$/;
const UNFINISHED = /^[0-9a-f]+\.[0-9a-f]{12}\.tmp$/;
const gone = ignoring('another engine removes them too');

export interface PromptFilesOptions {
  /** Made where it is not there, for its owner only. */
  folder: string;
  /** Bytes of all of them together, at the most. */
  most: number;
  /** Bytes free on its drive. Default: what the system says. */
  free?: (folder: string) => Promise<number>;
}

/** A file that is there, whole or not. */
export interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** CRC-32 that it must have, 8 hex. */
  readonly checksum: string;
}

/** One that is being tried, under a name by which nobody finds it. */
export interface OnTrial {
  readonly path: string;
  /** Its name when it is found to be good. */
  readonly goodPath: string;
}

/**
 * What was evaluated, in a folder: a file each, by a key that says all of what it is. Its checksum stands in its name, so that nothing is flushed to the disk:
 * what a power cut leaves is seen to be no whole file. Several processes may use one folder. Where there are too many bytes, those that nobody used for longest go.
 */
export class PromptFiles {
  readonly #options: PromptFilesOptions;

  constructor(options: PromptFilesOptions) {
    this.#options = options;
  }

  /** @param key 64 hex */
  async find(key: string): Promise<KeptFile | undefined> {
    for (const name of await this.#names()) {
      const [, of, checksum = ''] = KEPT.exec(name) ?? [];
      if (of !== key) continue;
      const path = join(this.#options.folder, name);
      const file = await stat(path).catch(gone);
      if (file?.isFile() && file.size <= this.#options.most) return { path, bytes: file.size, checksum };
    }
    return undefined;
  }

  /** Reads all of it. */
  async isWhole({ path, checksum }: KeptFile): Promise<boolean> {
    return (await checksumOf(path).catch(ignoring('what cannot be read is not whole'))) === checksum;
  }

  /** @returns undefined where another engine was faster */
  async beginTrial(key: string, { path: goodPath }: KeptFile): Promise<OnTrial | undefined> {
    const path = this.#unfinished(key);
    const isMine = await rename(goodPath, path).then(() => true, gone);
    return isMine ? { path, goodPath } : undefined;
  }

  /** It was good, and of use just now. */
  async endTrial({ path, goodPath }: OnTrial): Promise<void> {
    const now = new Date();
    await utimes(path, now, now).catch(gone);
    await rename(path, goodPath).catch(gone);
  }

  async remove({ path }: Pick<KeptFile, 'path'>): Promise<void> {
    await rm(path, { force: true }).catch(gone);
  }

  /**
   * An empty file to write into, which nobody else can read; {@link finish} makes it one of the kept.
   * @param bytes that will be written, as far as it is known
   * @returns undefined where there is no room @throws what the file system throws
   */
  async begin(key: string, bytes: number): Promise<string | undefined> {
    const { folder, most, free = freeBytes } = this.#options;
    if (bytes > most) return undefined;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    if ((await free(folder)) < bytes + RESERVE_BYTES) return undefined;
    const path = this.#unfinished(key);
    const file = await open(path, 'wx', 0o600);
    await file.close();
    return path;
  }

  /** Gives what was written its name, and makes room for it. What does not fit is removed. @throws what the file system throws */
  async finish(key: string, path: string): Promise<void> {
    const { folder, most } = this.#options;
    const { size } = await stat(path);
    if (size > most) return await this.remove({ path });
    const checksum = await checksumOf(path);
    await this.#makeRoom(size, path);
    await rename(path, join(folder, `${key}.${checksum}.state`));
  }

  /** @param own path of the file that the room is made for */
  async #makeRoom(bytes: number, own: string): Promise<void> {
    const paths = (await this.#names())
      .filter((name) => KEPT.test(name) || UNFINISHED.test(name))
      .map((name) => join(this.#options.folder, name))
      .filter((path) => path !== own);
    const files = await Promise.all(paths.map(async (path) => ({ path, found: await stat(path).catch(gone) })));
    const old = Date.now() - WRITTEN_MS;
    let left = this.#options.most - bytes;
    for (const { path, found } of files.toSorted((a, b) => (b.found?.mtimeMs ?? 0) - (a.found?.mtimeMs ?? 0))) {
      left -= found?.size ?? 0;
      const isLeftover = path.endsWith('.tmp') && (found?.mtimeMs ?? 0) < old;
      if (left < 0 || isLeftover) await this.remove({ path });
    }
  }

  #unfinished(key: string): string {
    return join(this.#options.folder, `${key}.${randomBytes(6).toString('hex')}.tmp`);
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#options.folder).catch(ifMissing)) ?? [];
  }
}

async function checksumOf(path: string): Promise<string> {
  let sum = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) sum = crc32(piece, sum);
  return sum.toString(16).padStart(8, '0');
}
