import { z } from 'zod';
import { boundedRecord } from '../../../src-preload/contract/bounded.ts';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { type Licence, USABLE_LICENCES } from '../../../src-preload/contract/data-names.ts';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { SourceError } from '../../models/downloads/byte-source.ts';
import { fetchFile } from './file-fetch.ts';
import { fittingList } from './fitting-list.ts';
import { checkLicence, foundVideo } from './found-video.ts';
import { licenceOfName, licenceOfUrl } from './licences.ts';
import type { ApiClient } from './polite-client.ts';
import { pageNumber, searchWords } from './search-words.ts';
import { smallestThatWillDo, type VideoFile } from './smallest-file.ts';
import type { Fetched, FetchOptions, FoundPage, SearchOptions, Source } from './source.ts';
import { explainSourceError, gone, Nonsense, noSuchServer } from './source-errors.ts';

const PAGE = 25;
/** Its search gives no more than 10,000 results. */
const MOST_OFFSET = 10_000;
const META = ['LicenseShortName', 'LicenseUrl', 'Artist', 'Attribution', 'ImageDescription', 'ObjectName', 'NonFree'];

/** Mostly HTML, sometimes a number. */
const metaSchema = boundedRecord(z.string(), z.object({ value: z.unknown() }), 100);
const derivativeSchema = z.object({
  src: z.string().max(4_000),
  type: z.string().max(200),
  height: z.number().optional(),
  /** `240p.vp9.webm`; absent for the file itself. */
  transcodekey: z.string().max(100).optional(),
});
const infoSchema = z.object({
  url: z.string().max(4_000),
  descriptionurl: z.string().max(4_000),
  mime: z.string().max(200),
  size: z.number(),
  height: z.number().optional(),
  duration: z.number().optional(),
  extmetadata: metaSchema.optional(),
  derivatives: fittingList(derivativeSchema, 200).optional(),
});
type Info = z.infer<typeof infoSchema>;
const pageSchema = z.object({
  title: z.string().max(1_000),
  index: z.number().optional(),
  missing: z.boolean().optional(),
  videoinfo: fittingList(infoSchema, 10).optional(),
});
/** With `formatversion=2`. Without any result there is no `query`; an `error` comes with status 200. */
const answerSchema = z.object({
  continue: z.object({ gsroffset: z.int().min(0).optional() }).optional(),
  query: z.object({ pages: fittingList(pageSchema, 500) }).optional(),
  error: z.object({ code: z.string().max(200), info: z.string().max(10_000).optional() }).optional(),
});

/** A title as the wiki writes it. */
const FILE = /^File:[^\p{Cc}#<>[\]{}|_]{1,240}\.(webm|ogv|ogg|mpe?g|mp4)$/iu;
/** What the wiki says while it has too much to do. */
const BUSY = ['ratelimited', 'maxlag', 'readonly'];

export interface CommonsSourceOptions {
  client: ApiClient;
  /** Where `/w/api.php` is, without a slash at its end. Default https://commons.wikimedia.org. */
  endpoint?: string;
}

/** Wikimedia Commons: files by their titles, with what their pages say of author and licence. */
export class CommonsSource implements Source {
  readonly kind = 'commons';
  readonly #client: ApiClient;
  readonly #endpoint: string;

  constructor({ client, endpoint = 'https://commons.wikimedia.org' }: CommonsSourceOptions) {
    this.#client = client;
    this.#endpoint = endpoint;
  }

  async search(topic: string, { from, signal }: SearchOptions): Promise<FoundPage> {
    const offset = pageNumber(from, 0, MOST_OFFSET);
    const words = searchWords(topic);
    if (words.length === 0) return { found: [], next: null };
    const asked = {
      generator: 'search',
      gsrsearch: `filetype:video ${words.join(' ')}`,
      gsrnamespace: '6',
      gsrlimit: String(PAGE),
      gsroffset: String(offset),
    };
    const answer = await this.#ask(asked, signal);
    const pages = (answer.query?.pages ?? []).sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
    const next = answer.continue?.gsroffset;
    return {
      found: pages.flatMap(({ title, videoinfo: [info] = [] }) =>
        info && FILE.test(title) ? [video(title, info)] : [],
      ),
      next: next !== undefined && next > offset && next <= MOST_OFFSET ? String(next) : null,
    };
  }

  async look(id: string, signal: AbortSignal): Promise<FoundVideo | null> {
    const info = await this.#info(id, signal);
    return info ? video(id, info) : null;
  }

  async fetch(id: string, to: string, options: FetchOptions): Promise<Fetched> {
    const info = await this.#info(id, options.signal);
    const url = info && URL.parse(fileOf(info).url);
    if (!info || !url) throw gone(new URL(this.#endpoint).host);
    checkLicence(video(id, info));
    return await fetchFile({ ...options, client: this.#client, url, to, seconds: info.duration ?? null });
  }

  async #info(id: string, signal: AbortSignal): Promise<Info | undefined> {
    if (!FILE.test(id)) return undefined;
    const { query } = await this.#ask({ titles: id }, signal);
    const page = query?.pages.find(({ title, missing }) => title === id && !missing);
    return page?.videoinfo?.[0];
  }

  async #ask(asked: Record<string, string>, signal: AbortSignal): Promise<z.infer<typeof answerSchema>> {
    const url = new URL(`${this.#endpoint}/w/api.php`);
    url.search = `${new URLSearchParams({
      action: 'query',
      format: 'json',
      formatversion: '2',
      ...asked,
      prop: 'videoinfo',
      viprop: 'url|size|mime|extmetadata|derivatives',
      viextmetadatafilter: META.join('|'),
      viextmetadatalanguage: 'en',
    })}`;
    const answer = await this.#client.json(url, answerSchema, signal);
    if (!answer) throw noSuchServer(url.host);
    if (answer.error) throw explained(answer.error.code, url.host);
    return answer;
  }
}

/** What is wrong, where it comes with the status of what is right. */
function explained(code: string, host: string): QuarryError {
  const isBusy = BUSY.includes(code);
  const busy = new SourceError('busy', say('download.patience', { host, status: code }));
  return explainSourceError(isBusy ? busy : new Nonsense(`error ${code}`), host);
}

function video(title: string, info: Info): FoundVideo {
  const meta = (name: string) => textOf(info.extmetadata?.[name]?.value);
  const licenceUrl = meta('LicenseUrl');
  return foundVideo({
    source: 'commons',
    id: title,
    title: meta('ObjectName') || title.slice('File:'.length).replace(/\.\w+$/, ''),
    description: meta('ImageDescription'),
    licence: licenceOf(meta, licenceUrl),
    licenceUrl: licenceUrl || null,
    author: meta('Attribution') || meta('Artist') || null,
    page: info.descriptionurl,
    seconds: info.duration ?? null,
    bytes: fileOf(info).bytes,
    isHtml: true,
  });
}

/** The address says it exactly, where there is one. What the wiki has for a quotation is not free, whatever else is said of it. */
function licenceOf(meta: (name: string) => string, licenceUrl: string): Licence {
  const byUrl = licenceOfUrl(licenceUrl);
  const licence = byUrl === 'unknown' ? licenceOfName(meta('LicenseShortName')) : byUrl;
  return /^(true|1)$/i.test(meta('NonFree')) && USABLE_LICENCES.includes(licence) ? 'unknown' : licence;
}

/** The file itself, or what the wiki has made of it. Of what it streams in parts, pictures and sounds are apart. */
function fileOf({ url, size, height, derivatives = [] }: Info): VideoFile {
  const itself = { url, height: height ?? null, bytes: size };
  const made = derivatives
    .filter(
      ({ type, transcodekey: key }) => /^video\/(webm|ogg|mp4)/.test(type) && key && !/\.(video|audio)\./.test(key),
    )
    .map(({ src, height: lines }) => ({ url: src, height: lines ?? null, bytes: null }));
  return smallestThatWillDo<VideoFile>([itself, ...made]) ?? itself;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
