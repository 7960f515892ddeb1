import { lstat, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { checkLicence, foundVideo } from './found-video.ts';
import { licenceOfName } from './licences.ts';
import { removeBeside } from './part-file.ts';
import { pageNumber, searchWords } from './search-words.ts';
import type { Fetched, FetchOptions, FoundPage, SearchOptions, Source } from './source.ts';
import { gone, tooLarge } from './source-errors.ts';
import { askProgram, fetchByProgram, isGone, type ToldByProgram, type YtDlpOptions } from './ytdlp-program.ts';

/** Each of them is asked for by itself: a list alone says nothing of licences. */
const PAGE = 10;
const MOST_RESULTS = 200;
const ID = /^[A-Za-z0-9_-]{11}$/;
const SITE = 'www.youtube.com';

const addressOf = (id: string) => `https://${SITE}/watch?v=${id}`;

/** YouTube, by the user's own yt-dlp. All that it may be asked is a search for words, and videos by their ids. */
export class YtDlpSource implements Source {
  readonly kind = 'ytdlp';
  readonly #options: YtDlpOptions;

  constructor(options: YtDlpOptions) {
    this.#options = options;
  }

  async search(topic: string, { from, signal }: SearchOptions): Promise<FoundPage> {
    const start = pageNumber(from, 0, MOST_RESULTS - PAGE);
    const words = searchWords(topic);
    if (words.length === 0) return { found: [], next: null };
    const end = start + PAGE;
    const items = `${start + 1}:${end}`;
    const { told } = await askProgram(this.#options, `ytsearch${end}:${words.join(' ')}`, { items, signal });
    const isLast = told.length === 0 || end >= MOST_RESULTS;
    return { found: told.flatMap(video), next: isLast ? null : String(end) };
  }

  async look(id: string, signal: AbortSignal): Promise<FoundVideo | null> {
    if (!ID.test(id)) return null;
    const { told } = await askProgram(this.#options, addressOf(id), { signal });
    return told.flatMap(video).find((each) => each.id === id) ?? null;
  }

  async fetch(id: string, to: string, { mostBytes, signal }: FetchOptions): Promise<Fetched> {
    const found = await this.look(id, signal);
    if (!found) throw gone(SITE);
    checkLicence(found);
    try {
      const path = await fetchByProgram(this.#options, addressOf(id), { to, mostBytes, signal });
      return { bytes: await take(path, to, mostBytes), url: addressOf(id) };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof Error && isGone(error.message) ? gone(SITE, error) : error;
    }
  }
}

/** Nothing that is live, or not for everybody, and nothing of another site. */
function video(told: ToldByProgram): FoundVideo[] {
  if (!ID.test(told.id) || told.extractor_key !== 'Youtube' || told.is_live || (told.age_limit ?? 0) > 0) return [];
  return [
    foundVideo({
      source: 'ytdlp',
      id: told.id,
      title: told.title ?? '',
      description: told.description ?? '',
      licence: licenceOfName(told.license ?? ''),
      licenceUrl: null,
      author: told.channel ?? told.uploader ?? null,
      page: addressOf(told.id),
      seconds: told.duration ?? null,
      bytes: null, // what it says is a guess, and of another quality
      isHtml: false,
    }),
  ];
}

/** Gives what it has fetched the name that was asked for, and removes what else it left. @returns bytes */
async function take(path: string | undefined, to: string, mostBytes: number): Promise<number> {
  const isOurs = path !== undefined && dirname(path) === dirname(to) && basename(path).startsWith(`${basename(to)}.`);
  const stats = isOurs ? await lstat(path).catch(ifMissing) : undefined;
  if (!path || !stats?.isFile() || stats.size > mostBytes) throw tooLarge(mostBytes);
  await rename(path, to);
  await removeBeside(to);
  return stats.size;
}
