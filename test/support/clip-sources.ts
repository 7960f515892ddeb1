import { onTestFinished } from 'vitest';
import { ArchiveSource } from '../../src-main/clips/sources/archive-source.ts';
import { CommonsSource } from '../../src-main/clips/sources/commons-source.ts';
import { PeerTubeSource } from '../../src-main/clips/sources/peertube-source.ts';
import { PoliteClient, type PoliteClientOptions } from '../../src-main/clips/sources/polite-client.ts';
import type { Source } from '../../src-main/clips/sources/source.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';
import { type Replies, recorded } from './clip-sources-server.ts';

/** What is asked of a source in its tests, and what its server says. */
export interface SourceCase {
  kind: Source['kind'];
  open: (origin: string, client: PoliteClient) => Source;
  /** @param file the bytes of every video */
  replies: (file: Buffer) => Replies;
  topic: string;
  /** May be used, and is fetched. */
  id: string;
  /** Allows no derivatives. */
  noDerivatives: string;
  gone: string;
  /** Ids that never were any of this source. */
  odd: string[];
  /** A page's answer in which one video has these words for all that people write. */
  wording: (words: string) => string;
}

const ODD = ['', '../../etc/passwd', 'a b', 'x\u0000y', 'http://10.0.0.1/x', '-rf', 'é'.repeat(400)];

const archive: SourceCase = {
  kind: 'archive',
  open: (endpoint, client) => new ArchiveSource({ client, endpoint }),
  replies:
    (file) =>
    ({ pathname, searchParams }) => {
      if (pathname === '/advancedsearch.php') {
        return { json: recorded(searchParams.get('page') === '1' ? 'archive-search.json' : 'archive-search-2.json') };
      }
      if (pathname === '/metadata/1957-10-07_New_Moon') return { json: recorded('archive-item.json') };
      if (pathname === '/metadata/example-satellite-talk')
        return { json: recorded('archive-item-no-derivatives.json') };
      if (pathname.startsWith('/metadata/')) return { json: '{}' };
      return pathname.startsWith('/download/') ? { file } : undefined;
    },
  topic: 'satellite',
  id: '1957-10-07_New_Moon',
  noDerivatives: 'example-satellite-talk',
  gone: 'example-gone',
  odd: ODD,
  wording: (words) => {
    const answer = JSON.parse(recorded('archive-search.json'));
    Object.assign(answer.response.docs[0], { title: words, description: words, creator: words });
    return JSON.stringify(answer);
  },
};

/** Titles and addresses as they are, but for the host. */
const here = (json: string, host: RegExp, origin: string) => ({ json: json.replaceAll(host, origin) });
const COMMONS = /https:\/\/(commons|upload)\.wikimedia\.org/g;

/** One of the pages of a search, as it is looked at. */
function commonsPage(title: string): string {
  const { query } = JSON.parse(recorded('commons-search.json'));
  const pages = query.pages.filter((page: { title: string }) => page.title === title);
  return pages.length > 0
    ? JSON.stringify({ batchcomplete: true, query: { pages } })
    : recorded('commons-missing.json');
}

const commons: SourceCase = {
  kind: 'commons',
  open: (endpoint, client) => new CommonsSource({ client, endpoint }),
  replies:
    (file) =>
    ({ pathname, searchParams }, origin) => {
      if (pathname !== '/w/api.php') return pathname.startsWith('/wikipedia/commons/') ? { file } : undefined;
      const titles = searchParams.get('titles');
      if (titles !== null) return here(commonsPage(titles), COMMONS, origin);
      const isFirst = searchParams.get('gsroffset') === '0';
      return here(recorded(isFirst ? 'commons-search.json' : 'commons-search-2.json'), COMMONS, origin);
    },
  topic: 'two balls',
  id: 'File:John F. Kennedy Inauguration Speech.ogv',
  noDerivatives: 'File:Example no derivatives.webm',
  gone: 'File:Example gone.webm',
  odd: [...ODD, 'File:a|File:b.webm', 'File:Two_balls.webm', 'Two balls.webm', 'File:x.svg'],
  wording: (words) => {
    const answer = JSON.parse(recorded('commons-search.json'));
    const meta = answer.query.pages[1].videoinfo[0].extmetadata;
    for (const name of ['ObjectName', 'ImageDescription', 'Artist']) meta[name].value = words;
    return JSON.stringify(answer);
  },
};

const PEERTUBE = /https:\/\/peertube\.example/g;
const RIDE = '30eab5fa-f35c-40fb-822b-3b7a70ddfb4e';
const NO_DERIVATIVES = 'a0000000-f35c-40fb-822b-3b7a70ddfb4e';

function peerTubeVideo(uuid: string): string | undefined {
  const details = JSON.parse(recorded('peertube-video.json'));
  if (uuid === RIDE) return JSON.stringify(details);
  const licence = { id: 3, label: 'Attribution - No Derivatives' };
  return uuid === NO_DERIVATIVES ? JSON.stringify({ ...details, uuid, licence }) : undefined;
}

const peertube = (origin: string): SourceCase => {
  const { host } = new URL(origin);
  return {
    kind: 'peertube',
    open: (instance, client) => new PeerTubeSource({ client, instance }),
    replies:
      (file) =>
      ({ pathname, searchParams }) => {
        if (pathname === '/api/v1/search/videos') {
          const isFirst = searchParams.get('start') === '0';
          return here(recorded(isFirst ? 'peertube-search.json' : 'peertube-search-2.json'), PEERTUBE, origin);
        }
        const details =
          pathname.startsWith('/api/v1/videos/') && peerTubeVideo(pathname.slice('/api/v1/videos/'.length));
        if (details) return here(details, PEERTUBE, origin);
        return pathname.startsWith('/static/') ? { file } : undefined;
      },
    topic: 'ride',
    id: `${host}/${RIDE}`,
    noDerivatives: `${host}/${NO_DERIVATIVES}`,
    gone: `${host}/b0000000-f35c-40fb-822b-3b7a70ddfb4e`,
    odd: [
      ...ODD,
      RIDE,
      `${host}/${RIDE}/..`,
      `user@${host}/${RIDE}`,
      `${host}/../${RIDE}`,
      `${host}/${RIDE.toUpperCase()}`,
    ],
    wording: (words) => {
      const answer = JSON.parse(recorded('peertube-search.json'));
      Object.assign(answer.data[0], { name: words, description: words });
      answer.data[0].channel.displayName = words;
      return JSON.stringify(answer);
    },
  };
};

/** By what each is called, of a server at that origin. */
export const SOURCE_CASES: Record<string, (origin: string) => SourceCase> = {
  archive: () => archive,
  commons: () => commons,
  peertube,
};

/** For servers of this computer: as fast as it goes, and with short patience. */
export function quickClient(origin: string, more: Partial<PoliteClientOptions> = {}): PoliteClient {
  const isNamed = (asked: string) => asked === origin;
  const proxies = { httpProxy: '', httpsProxy: '' };
  const client = new HttpClient({ userAgent: 'Quarry/test (test@example.org)', isNamed, proxies, stallMs: 2_000 });
  onTestFinished(() => client.close());
  return new PoliteClient({ client, isNamed, paceMs: 1, burst: 100, firstRetryMs: 5, patienceMs: 200, ...more });
}
