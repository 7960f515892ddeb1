import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';

/** A video in one of the user's folders. */
export interface FolderFile {
  /** Absolute, of the folder that the settings name. */
  root: string;
  /** Below it, with `/` between names. */
  path: string;
  /** Names beside it that say more of it. */
  sidecars: string[];
}

/** Folders within one another, and entries of all of them together. */
const [MOST_LEVELS, MOST_ENTRIES] = [8, 20_000];
const VIDEOS = [
  '.mp4',
  '.m4v',
  '.mov',
  '.mkv',
  '.webm',
  '.ogv',
  '.avi',
  '.mpg',
  '.mpeg',
  '.ts',
  '.mts',
  '.wmv',
  '.flv',
];
const SIDECARS = ['.json', '.txt'];

/**
 * All videos in a folder, then those in the folders in it, by name. Links are not followed, hidden folders are not looked into, and beyond a number of entries nothing is.
 * @param most entries. Default 20,000
 * @throws DOWNLOAD_FAILED for a folder that cannot be read; of those in it that cannot, nothing is found
 */
export async function walkFolder(folder: string, signal: AbortSignal, most = MOST_ENTRIES): Promise<FolderFile[]> {
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw unread(folder, error);
  });
  const found: FolderFile[] = [];
  let left = most;
  const waiting = [{ path: '', level: 1 }];
  for (let next = waiting.shift(); next && left > 0; next = waiting.shift()) {
    signal.throwIfAborted();
    const { path, level } = next;
    const entries = await entriesOf(join(root, path), path === '' ? folder : undefined, left);
    left -= entries.length;
    for (const { name } of entries.filter((entry) => entry.isDirectory() && level < MOST_LEVELS)) {
      waiting.push({ path: `${path}${name}/`, level: level + 1 });
    }
    const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
    for (const name of [...names].filter(isVideo)) {
      found.push({ root, path: path + name, sidecars: sidecarsOf(name).filter((each) => names.has(each)) });
    }
  }
  return found;
}

/** Whether a file is taken for a video, by its name. */
export function isVideo(name: string): boolean {
  return VIDEOS.includes(extname(name).toLowerCase());
}

/** `ball.json`, `ball.txt`, `ball.mp4.json`, `ball.mp4.txt` of `ball.mp4`. */
export function sidecarsOf(name: string): string[] {
  const stem = name.slice(0, name.length - extname(name).length);
  return SIDECARS.flatMap((end) => [stem + end, name + end]);
}

/** By name. @param named how the settings name it; undefined for one that was found @param most entries that are read */
async function entriesOf(path: string, named: string | undefined, most: number): Promise<Dirent[]> {
  const folder = await opendir(path, { bufferSize: 256 }).catch((error: NodeJS.ErrnoException) => {
    if (named !== undefined) throw unread(named, error);
    return ignoring('it is another account’s, or was removed a moment ago')(error);
  });
  const entries: Dirent[] = [];
  for await (const entry of folder ?? []) {
    if (!entry.name.startsWith('.')) entries.push(entry);
    if (entries.length >= most) break;
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function unread(folder: string, { code = '?' }: NodeJS.ErrnoException): QuarryError {
  const words = { message: say('clipSources.unreadFolder', { folder, code }), hint: say('clipSources.lookAtFolder') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words });
}
