import { constants } from 'node:fs';
import { copyFile, link, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { z } from 'zod';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { MAX_CLIP_DESCRIPTION_CHARS, MAX_VIDEO_ID_CHARS } from '../../../src-preload/contract/data-limits.ts';
import { keptJson } from '../../base/kept-json.ts';
import { Pace } from '../../base/pace.ts';
import { openRegular, readAtMost } from '../../base/regular-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { ignoring } from '../../base/swallowed.ts';
import { type FolderFile, isVideo, sidecarsOf, walkFolder } from './folder-walk.ts';
import { foundVideo } from './found-video.ts';
import { removeFetched } from './part-file.ts';
import { pageNumber, searchWords } from './search-words.ts';
import type { Fetched, FetchOptions, FoundPage, SearchOptions, Source } from './source.ts';
import { explainUnwritten, fileGone, tooLarge } from './source-errors.ts';

const PAGE = 50;
const MOST_SIDECAR_BYTES = 64 << 10;

/** What a file beside a video may say of it; whatever else stands there is nobody's business here. */
const sidecarSchema = z.object({
  title: z.string().max(2_000).optional(),
  description: z.string().max(MAX_CLIP_DESCRIPTION_CHARS).optional(),
  author: z.string().max(2_000).optional(),
});

/**
 * The user's own folders. A video's id is a mark of its folder, its path there, its length and when it was changed: one that was changed is another video. What a topic's words stand
 * in comes first: in the path, or in a description beside it. Where they stand in nothing, all videos are found, for what they show nobody knows before it is looked at.
 */
export class FolderSource implements Source {
  readonly kind = 'folder';
  readonly #folders: () => readonly string[];

  /** @param folders absolute paths, asked for each time */
  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  async search(topic: string, { from, signal }: SearchOptions): Promise<FoundPage> {
    const start = pageNumber(from, 0, 1_000_000);
    const chosen = await matching(await this.#files(signal), searchWords(topic), signal);
    const found = await Promise.all(chosen.slice(start, start + PAGE).map(videoOf));
    const next = start + PAGE < chosen.length ? String(start + PAGE) : null;
    return { found: found.filter((video) => video !== null), next };
  }

  async look(id: string): Promise<FoundVideo | null> {
    const file = await this.#fileOf(id);
    const video = file && (await videoOf(file));
    return video?.id === id ? video : null;
  }

  async fetch(id: string, to: string, { mostBytes, signal }: FetchOptions): Promise<Fetched> {
    const file = await this.#fileOf(id);
    const video = file && (await videoOf(file));
    if (video?.id !== id || video.bytes === null) throw fileGone();
    signal.throwIfAborted();
    await removeFetched(to);
    await place(join(file?.root ?? '', file?.path ?? ''), to, video.bytes, mostBytes);
    return { bytes: video.bytes, url: null };
  }

  /** Of all folders that can be read. @throws what is wrong with the first where none can */
  async #files(signal: AbortSignal): Promise<FolderFile[]> {
    const folders = this.#folders();
    const walked = await Promise.allSettled(folders.map((folder) => walkFolder(folder, signal)));
    signal.throwIfAborted();
    const failed = walked.filter((each) => each.status === 'rejected');
    if (failed[0] && failed.length === folders.length) throw failed[0].reason;
    return walked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  /** A file of one of the folders as they are now; null for a path that leads out of it. */
  async #fileOf(id: string): Promise<FolderFile | null> {
    const [, mark, path = ''] = /^([0-9a-f]{8})\/(.+)#[0-9a-z]+-[0-9a-z]+$/s.exec(id) ?? [];
    // Hidden ones are not found, and `..` and `.` would be other names of the same file.
    if (mark === undefined || !isVideo(path) || path.split('/').some((name) => /^(\.|$)/.test(name))) return null;
    for (const folder of this.#folders()) {
      const root = await realpath(folder).catch(ignoring('a folder that is not there has no such file'));
      if (root === undefined || markOf(root) !== mark) continue;
      const real = await realpath(join(root, path)).catch(ignoring('it is gone'));
      if (real !== join(root, path) || !real.startsWith(root + sep)) return null;
      return { root, path, sidecars: sidecarsOf(basename(path)) };
    }
    return null;
  }
}

const markOf = (root: string) => sha256(root).toString('hex').slice(0, 8);

/** Those in which most of the words stand come first, those in which none does are left out; all, where that leaves none. */
async function matching(files: readonly FolderFile[], words: readonly string[], signal: AbortSignal) {
  const counted: { file: FolderFile; count: number }[] = [];
  const pace = new Pace({ signal });
  for (const file of files) {
    await pace.breathe();
    const { description = '', title = '' } = file.sidecars.length > 0 ? await sidecarOf(file) : {};
    const text = `${file.path} ${title} ${description}`.normalize('NFKC').toLowerCase();
    counted.push({ file, count: words.filter((word) => text.includes(word)).length });
  }
  const some = counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  return some.length > 0 ? some.map(({ file }) => file) : files;
}

/** Null where it is gone by now, or its path is too long to be an id. */
async function videoOf(file: FolderFile): Promise<FoundVideo | null> {
  const stats = await lstat(join(file.root, file.path)).catch(ignoring('it was removed a moment ago'));
  if (!stats?.isFile()) return null;
  const identity = `${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}`;
  const id = `${markOf(file.root)}/${file.path}#${identity}`;
  if (id.length > MAX_VIDEO_ID_CHARS) return null;
  const { title, description = '', author = null } = await sidecarOf(file);
  const name = basename(file.path);
  return foundVideo({
    source: 'folder',
    id,
    title: title || titleOf(name),
    description,
    licence: 'own',
    licenceUrl: null,
    author,
    page: null,
    seconds: null,
    bytes: stats.size,
    isHtml: false,
  });
}

/** «two red balls» of `two_red-balls.mp4`. */
const titleOf = (name: string) => name.slice(0, name.length - extname(name).length).replace(/[_\-.]+/g, ' ');

async function sidecarOf({ root, path, sidecars }: FolderFile): Promise<z.infer<typeof sidecarSchema>> {
  for (const name of sidecars) {
    const text = await shortText(join(root, path, '..', name));
    if (text === undefined) continue;
    const told = name.endsWith('.json') ? keptJson(text, sidecarSchema) : { description: text };
    if (told) return told;
  }
  return {};
}

/** Of a plain file that is not a link to anywhere. */
async function shortText(path: string): Promise<string | undefined> {
  if ((await realpath(path).catch(ignoring('there is none'))) !== path) return undefined;
  const file = await openRegular(path).catch(ignoring('what cannot be read says nothing'));
  try {
    return file && (await readAtMost(file, MOST_SIDECAR_BYTES));
  } finally {
    await file?.close();
  }
}

/** The same bytes without a copy where the file system can do that, else as a second name of the file; a copy where it has to be. */
async function place(from: string, to: string, bytes: number, mostBytes: number): Promise<void> {
  const isDone = await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
    .catch(() => link(from, to))
    .then(() => true)
    .catch(ignoring('a drive that can do neither is copied from'));
  if (isDone) return;
  if (bytes > mostBytes) throw tooLarge(mostBytes);
  await copyFile(from, to).catch((error: unknown) => {
    throw explainUnwritten(error, dirname(to));
  });
}
