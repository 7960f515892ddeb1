import { EnvHttpProxyAgent } from 'undici';
import { say } from '../../../src-preload/contract/saying.ts';
import { SourceError } from './byte-source.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { connectionError, refusal } from './http-refusal.ts';

export interface HttpClientOptions {
  /** `quarry/VERSION`. */
  userAgent: string;
  /** Sent to this origin (`https://huggingface.co`) and to no other. */
  token?: { origin: string; value: string };
  /** Milliseconds without a byte after which a connection is given up. Default 20,000. */
  stallMs?: number;
  /** Milliseconds to connect in. Default 10,000. */
  connectMs?: number;
  /** Proxies. Default: what HTTP_PROXY, HTTPS_PROXY and NO_PROXY say. */
  proxies?: { httpProxy?: string; httpsProxy?: string; noProxy?: string };
  /** Milliseconds since 1970. */
  now?: () => number;
}

const MAX_REDIRECTS = 8;
/** The statuses that bring bytes, or say why there are none in a range. */
const USEFUL = [200, 206, 416];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Asks web servers for files, through a proxy where the environment names one. A resource: close it. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agent: EnvHttpProxyAgent;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#agent = new EnvHttpProxyAgent({ ...options.proxies, connect: { timeout: options.connectMs ?? 10_000 } });
  }

  /**
   * GET, with redirects followed. The answer's status is 200, 206 or 416.
   * @throws SourceError, or the signal's reason
   */
  async get(from: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer> {
    let url = from;
    let trusted = true;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      trusted &&= url.origin === this.#options.token?.origin;
      const answer = await this.#ask(url, headers, trusted, signal);
      if (USEFUL.includes(answer.status)) return answer;
      answer.drop();
      if (!REDIRECTS.includes(answer.status)) throw refusal(answer, this.#now());
      url = redirectTarget(url, answer.headers.location);
    }
    throw new SourceError('gone', say('download.circles', { host: from.host, redirects: MAX_REDIRECTS }));
  }

  /** Ends every request. Idempotent. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(url: URL, headers: Record<string, string>, trusted: boolean, signal: AbortSignal): Promise<HttpAnswer> {
    const { userAgent, token, stallMs = 20_000 } = this.#options;
    const all: Record<string, string> = { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' };
    if (trusted && token) all.authorization = `Bearer ${token.value}`;
    try {
      return await exchange(this.#agent, { url, headers: all, stallMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw connectionError(url.host, error);
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function redirectTarget(from: URL, location: string | undefined): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new SourceError('gone', say('download.badRedirect', { host: from.host }));
  }
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new SourceError('gone', say('download.unencrypted', { host: from.host, to: target.host }));
  }
  return target;
}
