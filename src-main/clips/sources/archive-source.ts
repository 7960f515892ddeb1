import { z } from 'zod';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { fetchFile } from './file-fetch.ts';
import { fittingList } from './fitting-list.ts';
import { checkLicence, foundVideo } from './found-video.ts';
import { licenceOfUrl } from './licences.ts';
import type { ApiClient } from './polite-client.ts';
import { pageNumber, searchWords } from './search-words.ts';
import { smallestThatWillDo, type VideoFile } from './smallest-file.ts';
import type { Fetched, FetchOptions, FoundPage, SearchOptions, Source } from './source.ts';
import { gone, noSuchServer } from './source-errors.ts';

const PAGE = 50;
/** Its search gives no more than 10,000 results. */
const MOST_PAGES = 10_000 / PAGE;
const FIELDS = ['identifier', 'title', 'description', 'creator', 'licenseurl', 'runtime'];

/** A field that was filled in once, or more often. */
const text = z.union([z.string(), z.number(), z.array(z.unknown()).max(1_000)]).optional();
const aboutSchema = z.object({
  identifier: z.string(),
  title: text,
  description: text,
  creator: text,
  licenseurl: text,
  runtime: text,
});
const searchSchema = z.object({
  response: z.object({ numFound: z.int().min(0), start: z.int().min(0), docs: fittingList(aboutSchema, PAGE) }),
});
/** Numbers are mostly written as text. */
const amount = z.union([z.string().max(40), z.number()]).optional();
const fileSchema = z.object({
  name: z.string().max(2_000),
  size: amount,
  length: amount,
  height: amount,
  /** `true` for what it keeps and gives nobody. */
  private: z.union([z.string().max(40), z.boolean()]).optional(),
});
/** `{}` for an item that there is not, `is_dark` for one that was withdrawn. */
const itemSchema = z.object({
  is_dark: z.boolean().optional(),
  metadata: aboutSchema.extend({ mediatype: text }).optional(),
  files: fittingList(fileSchema, 20_000).optional(),
});
type About = z.infer<typeof aboutSchema>;

const ITEM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
/** Kinds of files that ffmpeg reads; the archive makes some of its own of what was put there. */
const VIDEO = /\.(mp4|m4v|webm|ogv|mpe?g|avi|mov|mkv|flv|wmv)$/i;

export interface ArchiveSourceOptions {
  client: ApiClient;
  /** Without a slash at its end. Default https://archive.org. */
  endpoint?: string;
}

/** The Internet Archive: its search, by licence, and what it says of an item and its files. */
export class ArchiveSource implements Source {
  readonly kind = 'archive';
  readonly #client: ApiClient;
  readonly #endpoint: string;

  constructor({ client, endpoint = 'https://archive.org' }: ArchiveSourceOptions) {
    this.#client = client;
    this.#endpoint = endpoint;
  }

  async search(topic: string, { from, signal }: SearchOptions): Promise<FoundPage> {
    const page = pageNumber(from, 1, MOST_PAGES);
    const words = searchWords(topic);
    if (words.length === 0) return { found: [], next: null };
    const query = `(${words.join(' AND ')}) AND mediatype:movies AND licenseurl:*creativecommons.org*`;
    const url = new URL(`${this.#endpoint}/advancedsearch.php`);
    url.search = `${new URLSearchParams({ q: query, rows: String(PAGE), page: String(page), output: 'json' })}`;
    for (const field of FIELDS) url.searchParams.append('fl[]', field);
    const answer = await this.#client.json(url, searchSchema, signal);
    if (!answer) throw noSuchServer(url.host);
    const { response } = answer;
    const found = response.docs.filter(({ identifier }) => ITEM.test(identifier)).map((doc) => this.#video(doc, null));
    const isLast = response.docs.length === 0 || page * PAGE >= response.numFound || page === MOST_PAGES;
    return { found, next: isLast ? null : String(page + 1) };
  }

  async look(id: string, signal: AbortSignal): Promise<FoundVideo | null> {
    return (await this.#item(id, signal))?.video ?? null;
  }

  async fetch(id: string, to: string, options: FetchOptions): Promise<Fetched> {
    const { video, file } = (await this.#item(id, options.signal)) ?? {};
    if (!video || !file) throw gone(new URL(this.#endpoint).host);
    checkLicence(video);
    return await fetchFile({ ...options, client: this.#client, url: new URL(file.url), to, seconds: file.seconds });
  }

  async #item(id: string, signal: AbortSignal) {
    if (!ITEM.test(id)) return undefined;
    const item = await this.#client.json(new URL(`${this.#endpoint}/metadata/${id}`), itemSchema, signal);
    if (!item?.metadata || item.is_dark || item.metadata.identifier !== id) return undefined;
    const files = (item.files ?? []).flatMap((file) => this.#file(id, file));
    const file = smallestThatWillDo(files);
    return file && { video: this.#video(item.metadata, file), file };
  }

  #file(id: string, { name, size, length, height, private: isKept }: z.infer<typeof fileSchema>): ArchiveFile[] {
    const parts = name.split('/');
    if (String(isKept) === 'true') return [];
    if (!VIDEO.test(name) || parts.some((part) => part === '' || part === '.' || part === '..')) return [];
    const url = `${this.#endpoint}/download/${id}/${parts.map(encodeURIComponent).join('/')}`;
    return [{ url, bytes: numberOf(size), height: numberOf(height), seconds: secondsOf(length) }];
  }

  #video(
    { identifier, title, description, creator, licenseurl, runtime }: About,
    file: ArchiveFile | null,
  ): FoundVideo {
    const { licence, licenceUrl } = licenceOf(licenseurl);
    return foundVideo({
      source: 'archive',
      id: identifier,
      title: textOf(title),
      description: textOf(description, '\n'),
      licence,
      licenceUrl,
      author: textOf(creator) || null,
      page: `${this.#endpoint}/details/${identifier}`,
      seconds: file?.seconds ?? secondsOf(textOf(runtime)),
      bytes: file?.bytes ?? null,
      isHtml: true,
    });
  }
}

interface ArchiveFile extends VideoFile {
  seconds: number | null;
}

/** Where several addresses say different things, nobody knows under which of them it is. */
function licenceOf(value: About['licenseurl']): Pick<FoundVideo, 'licence' | 'licenceUrl'> {
  const [first = '', ...others] = Array.isArray(value) ? value.map((each) => textOf([each])) : [textOf(value)];
  const licence = licenceOfUrl(first);
  const isOne = others.every((each) => licenceOfUrl(each) === licence);
  return isOne ? { licence, licenceUrl: first || null } : { licence: 'unknown', licenceUrl: null };
}

/** Of several values, those that are text, in a row. */
function textOf(value: About['title'], between = ', '): string {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string' || typeof each === 'number').join(between);
}

function numberOf(value: string | number | undefined): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isFinite(number) && number > 0 ? number : null;
}

/** «34.86», «10:00», «1:02:03». */
function secondsOf(value: string | number | undefined): number | null {
  const parts = String(value ?? '').split(':');
  if (parts.length > 3 || parts.some((part) => !/^\d{1,6}(\.\d{1,6})?$/.test(part.trim()))) return null;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0) || null;
}
