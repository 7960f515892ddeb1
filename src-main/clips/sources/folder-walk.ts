import { readdir, realpath } from 'node:fs/promises';
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
const [MOST_LEVELS, MOST_ENTRIES] = [8, 50_000];
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
 * All videos in a folder and those in it, by name. Links are not followed, hidden folders are not looked into, and beyond {@link MOST_ENTRIES} entries nothing is.
 * @throws DOWNLOAD_FAILED for a folder that cannot be read; of those in it that cannot, nothing is found
 */
export async function walkFolder(folder: string, signal: AbortSignal): Promise<FolderFile[]> {
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw unread(folder, error);
  });
  const found: FolderFile[] = [];
  let left = MOST_ENTRIES;
  const waiting = [{ path: '', level: 1 }];
  for (let next = waiting.shift(); next && left > 0; next = waiting.shift()) {
    signal.throwIfAborted();
    const { path, level } = next;
    const entries = await entriesOf(join(root, path), path === '' ? folder : undefined);
    left -= entries.length;
    for (const { name } of entries.filter((entry) => entry.isDirectory() && level < MOST_LEVELS)) {
      waiting.push({ path: `${path}${name}/`, level: level + 1 });
    }
    const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
    for (const name of [...names].filter(isVideo)) {
      found.push({ root, path: path + name, sidecars: sidecarsOf(name).filter((each) => names.has(each)) });
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
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

/** @param named how the settings name it; undefined for one that was found */
async function entriesOf(path: string, named: string | undefined) {
  const reading = readdir(path, { withFileTypes: true });
  const entries = await reading.catch((error: NodeJS.ErrnoException) => {
    if (named !== undefined) throw unread(named, error);
    return ignoring('it is another account’s, or was removed a moment ago')(error);
  });
  return (entries ?? []).filter(({ name }) => !name.startsWith('.'));
}

function unread(folder: string, { code = '?' }: NodeJS.ErrnoException): QuarryError {
  const words = { message: say('clipSources.unreadFolder', { folder, code }), hint: say('clipSources.lookAtFolder') };
  return new QuarryError({ code: 'DOWNLOAD_FAILED', ...words });
}
