import { z } from 'zod';
import type { FoundVideo } from '../../../src-preload/contract/data.ts';
import { USABLE_LICENCES } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { fetchFile } from './file-fetch.ts';
import { fittingList } from './fitting-list.ts';
import { checkLicence, foundVideo } from './found-video.ts';
import { licenceOfPeerTube, peerTubeIds } from './licences.ts';
import type { ApiClient } from './polite-client.ts';
import { pageNumber, searchWords } from './search-words.ts';
import { smallestThatWillDo, type VideoFile } from './smallest-file.ts';
import type { Fetched, FetchOptions, FoundPage, SearchOptions, Source } from './source.ts';
import { gone, noSuchServer } from './source-errors.ts';

const PAGE = 50;
/** Its search gives no more than 10,000 results. */
const MOST_START = 10_000;

const text = z.string().max(200_000).nullish();
const aboutSchema = z.object({
  uuid: z.uuid(),
  name: z.string(),
  url: z.string().max(4_000),
  duration: z.number().nullish(),
  isLive: z.boolean().nullish(),
  nsfw: z.boolean().nullish(),
  licence: z.object({ id: z.int().nullable() }).nullish(),
  description: text,
  truncatedDescription: text,
  account: z.object({ displayName: text, name: text }).nullish(),
  channel: z.object({ displayName: text }).nullish(),
});
type About = z.infer<typeof aboutSchema>;
const searchSchema = z.object({ total: z.int().min(0), data: fittingList(aboutSchema, 100) });

const fileSchema = z.object({
  /** Lines; 0 for sounds alone. */
  resolution: z.object({ id: z.int() }),
  size: z.number().nullish(),
  fileUrl: z.string().max(4_000).nullish(),
  hasAudio: z.boolean().nullish(),
  hasVideo: z.boolean().nullish(),
});
const files = fittingList(fileSchema, 200);
const detailsSchema = aboutSchema.extend({
  downloadEnabled: z.boolean().nullish(),
  files: files.nullish(),
  streamingPlaylists: fittingList(z.object({ files: files.nullish() }), 20).nullish(),
});
type Details = z.infer<typeof detailsSchema>;

/** Of the server that has it, and its number there. */
const ID = /^([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export interface PeerTubeSourceOptions {
  client: ApiClient;
  /** A server, or an index that searches many of them; without a slash at its end. */
  instance: string;
}

/**
 * PeerTube: searched at one server or index, looked at and fetched where the video is at home. Those of which its maker lets nothing be downloaded are left to be watched there.
 */
export class PeerTubeSource implements Source {
  readonly kind = 'peertube';
  readonly #client: ApiClient;
  readonly #instance: URL;

  constructor({ client, instance }: PeerTubeSourceOptions) {
    this.#client = client;
    this.#instance = new URL(instance);
  }

  async search(topic: string, { from, signal }: SearchOptions): Promise<FoundPage> {
    const start = pageNumber(from, 0, MOST_START);
    const url = new URL('/api/v1/search/videos', this.#instance);
    url.search = `${new URLSearchParams({
      search: searchWords(topic).join(' '),
      start: String(start),
      count: String(PAGE),
      sort: '-match',
      isLive: 'false',
      nsfw: 'false',
    })}`;
    for (const id of peerTubeIds(USABLE_LICENCES)) url.searchParams.append('licenceOneOf', String(id));
    const answer = await this.#client.json(url, searchSchema, signal);
    if (!answer) throw noSuchServer(url.host);
    const { total, data } = answer;
    const next = start + PAGE;
    const isLast = data.length === 0 || next >= total || next > MOST_START;
    return { found: data.flatMap((about) => video(about, null)), next: isLast ? null : String(next) };
  }

  async look(id: string, signal: AbortSignal): Promise<FoundVideo | null> {
    const details = await this.#details(id, signal);
    const [found] = details ? video(details, fileOf(details)) : [];
    return found?.id === id ? found : null;
  }

  async fetch(id: string, to: string, options: FetchOptions): Promise<Fetched> {
    const details = await this.#details(id, options.signal);
    const [found] = details ? video(details, null) : [];
    const url = URL.parse((details && fileOf(details)?.url) ?? '');
    if (!details || found?.id !== id || !url || this.#isNoBusinessOf(id, url))
      throw gone(this.#originOf(id)?.host ?? this.#instance.host);
    checkLicence(found);
    if (details.downloadEnabled === false) throw noDownload();
    return await fetchFile({ ...options, client: this.#client, url, to, seconds: found.seconds });
  }

  async #details(id: string, signal: AbortSignal): Promise<Details | undefined> {
    const origin = this.#originOf(id);
    const [, , uuid] = ID.exec(id) ?? [];
    if (!origin || uuid === undefined) return undefined;
    return await this.#client.json(new URL(`/api/v1/videos/${uuid}`, origin), detailsSchema, signal);
  }

  /** The server that the settings name may be in this network: what is on it, none elsewhere has anybody fetch. */
  #isNoBusinessOf(id: string, { host }: URL): boolean {
    return host === this.#instance.host && this.#originOf(id)?.host !== host;
  }

  /** The one server that the settings name may be without TLS; no other is. */
  #originOf(id: string): URL | null {
    const [, host] = ID.exec(id) ?? [];
    if (host === undefined) return null;
    return host === this.#instance.host ? new URL(this.#instance.origin) : URL.parse(`https://${host}`);
  }
}

/** None for a live stream, and for what is not for everybody. */
function video(about: About, file: VideoFile | null | undefined): FoundVideo[] {
  const url = URL.parse(about.url);
  const id = `${url?.host}/${about.uuid.toLowerCase()}`;
  if (!url || !ID.test(id) || about.isLive || about.nsfw) return [];
  return [
    foundVideo({
      source: 'peertube',
      id,
      title: about.name,
      description: about.description ?? about.truncatedDescription ?? '',
      licence: licenceOfPeerTube(about.licence?.id ?? null),
      licenceUrl: null,
      author: about.channel?.displayName || about.account?.displayName || about.account?.name || null,
      page: url.href,
      seconds: about.duration ?? null,
      bytes: file?.bytes ?? null,
      isHtml: false,
    }),
  ];
}

/** With sounds, where there are any: some servers keep them apart from the pictures. */
function fileOf({ files: alone, streamingPlaylists }: Details): VideoFile | undefined {
  const all = [...(alone ?? []), ...(streamingPlaylists ?? []).flatMap(({ files: streamed }) => streamed ?? [])];
  const seen = all.filter(({ resolution, hasVideo, fileUrl }) => resolution.id > 0 && hasVideo !== false && fileUrl);
  const heard = seen.filter(({ hasAudio }) => hasAudio !== false);
  const chosen = heard.length > 0 ? heard : seen;
  return smallestThatWillDo(
    chosen.map(({ fileUrl, resolution, size }) => ({ url: fileUrl ?? '', height: resolution.id, bytes: size || null })),
  );
}

function noDownload(): QuarryError {
  const words = { message: say('clipSources.noDownload'), hint: say('clipSources.otherVideo') };
  return new QuarryError({ code: 'UNSUPPORTED', ...words });
}
