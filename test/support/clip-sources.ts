import { onTestFinished } from 'vitest';
import { ArchiveSource } from '../../src-main/clips/sources/archive-source.ts';
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

export const SOURCE_CASES: readonly SourceCase[] = [archive];

/** For servers of this computer: as fast as it goes, and with short patience. */
export function quickClient(origin: string, more: Partial<PoliteClientOptions> = {}): PoliteClient {
  const isNamed = (asked: string) => asked === origin;
  const proxies = { httpProxy: '', httpsProxy: '' };
  const client = new HttpClient({ userAgent: 'Quarry/test (test@example.org)', isNamed, proxies, stallMs: 2_000 });
  onTestFinished(() => client.close());
  return new PoliteClient({ client, isNamed, paceMs: 1, burst: 100, firstRetryMs: 5, patienceMs: 200, ...more });
}
