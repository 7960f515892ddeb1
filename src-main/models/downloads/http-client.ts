import { lookup } from 'node:dns';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { say } from '../../../src-preload/contract/saying.ts';
import { SourceError } from './byte-source.ts';
import { exchange, type HttpAnswer, type HttpRequest } from './http-exchange.ts';
import { connectionError, isNotFound, noSuchHost, refusal } from './http-refusal.ts';
import { checkOutward, type LookUp, outwardLookup } from './outward.ts';

export interface HttpClientOptions {
  /** `quarry/VERSION`. */
  userAgent: string;
  /** Whom to write to: told to the server that is asked, and to none that it redirects to. Default: nobody is told. */
  contact?: string | undefined;
  /** Sent to this origin (`https://huggingface.co`) and to no other. */
  token?: { origin: string; value: string };
  /**
   * Whether a person named this origin in the settings: it may be in this computer’s own network, where others are refused, unless another server redirects there.
   * Default: none was named.
   */
  isNamed?: (origin: string) => boolean;
  /** How names are looked up. Default: as the system does. */
  lookUp?: LookUp;
  /**
   * A host that has an address wherever there is an internet: it tells a host that there is not from being offline. Default: no
   * host is, and a name without an address means being offline.
   */
  witness?: string;
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
  /** For what a person has named. */
  readonly #anywhere: EnvHttpProxyAgent;
  /** For everything else: it does not connect to this computer or its network. */
  readonly #outward: EnvHttpProxyAgent;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const connect = { timeout: options.connectMs ?? 10_000 };
    this.#anywhere = new EnvHttpProxyAgent({ ...options.proxies, connect });
    const lookup = outwardLookup(options.lookUp);
    this.#outward = new EnvHttpProxyAgent({ ...options.proxies, connect: { ...connect, lookup } });
  }

  /**
   * GET, with redirects followed. The answer's status is 200, 206 or 416.
   * @param typed whether a person typed this address; redirects to another origin were typed by nobody
   * @throws SourceError, or the signal's reason
   */
  async get(from: URL, headers: Record<string, string>, signal: AbortSignal, typed = false): Promise<HttpAnswer> {
    let url = from;
    let trusted = true;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      trusted &&= url.origin === this.#options.token?.origin;
      const isAsked = url.origin === from.origin;
      const dispatcher = this.#dispatcherFor(url, typed && isAsked, from.origin);
      const answer = await this.#ask(dispatcher, { url, headers, signal }, { isAsked, trusted });
      if (USEFUL.includes(answer.status)) return answer;
      answer.drop();
      if (!REDIRECTS.includes(answer.status)) throw refusal(answer, this.#now());
      url = redirectTarget(url, answer.headers.location);
    }
    throw new SourceError('gone', say('download.circles', { host: from.host, redirects: MAX_REDIRECTS }));
  }

  /** Ends every request. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#anywhere.destroy(), this.#outward.destroy()]);
  }

  /** @throws SourceError for an address of this computer or its network that nobody has named */
  #dispatcherFor(url: URL, typed: boolean, asked: string): Dispatcher {
    const { isNamed } = this.#options;
    // Else any server could have this node ask what is named for its own sake: a router, or what only this network sees.
    if (typed || (isNamed?.(url.origin) && isNamed(asked))) return this.#anywhere;
    checkOutward(url);
    return this.#outward;
  }

  async #ask(
    dispatcher: Dispatcher,
    { url, headers, signal }: Omit<HttpRequest, 'stallMs'>,
    { isAsked, trusted }: { isAsked: boolean; trusted: boolean },
  ): Promise<HttpAnswer> {
    const { userAgent, contact, token, stallMs = 20_000 } = this.#options;
    const who = isAsked && contact !== undefined ? `${userAgent} (${contact})` : userAgent;
    const all: Record<string, string> = { ...headers, 'user-agent': who, 'accept-encoding': 'identity' };
    if (trusted && token) all.authorization = `Bearer ${token.value}`;
    try {
      return await exchange(dispatcher, { url, headers: all, stallMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceError) throw error;
      throw (await this.#isMissing(url, error)) ? noSuchHost(url.host, error) : connectionError(url.host, error);
    }
  }

  /** Whether it is the host that there is not: where another name has its address, this machine is online. */
  async #isMissing({ hostname }: URL, error: unknown): Promise<boolean> {
    const { witness, lookUp = lookup } = this.#options;
    if (!isNotFound(error) || witness === undefined || witness === hostname) return false;
    return await new Promise((resolve) => {
      lookUp(witness, { all: true }, (failure, found) => resolve(!failure && found.length > 0));
    });
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
