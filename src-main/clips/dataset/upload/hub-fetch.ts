import { setImmediate as aTurn } from 'node:timers/promises';
import { bareHost } from '../../../base/loopback.ts';
import { isInside } from '../../../base/network-prefix.ts';
import { parseRetryAfter } from '../../../base/retry-after.ts';
import { wholeBody } from '../../../base/whole-body.ts';
import { isSafe } from './destination.ts';

/** Of an answer: a page of a listing of a thousand files takes a third of a MB. */
const MOST_BYTES = 16 * 2 ** 20;
/** Until there is an answer, but for files that are sent: how long those take is the line's. Making a commit of many files takes the hub a while. */
const LONGEST_MS = 120_000;
const MOST_RETRY_MS = 3_600_000;
/** Statuses whose answers have no body. */
const EMPTY: readonly number[] = [101, 204, 205, 304];

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MOST_REDIRECTS = 5;

/** The hub's answer is not what its protocol says. */
export class HubNonsense extends Error {}

/** What the hub's client is told: it wants a token that begins like this, and sets it where one belongs. The real one takes its place there. */
export const STAND_IN = 'hf_stand-in';

export interface HubFetchOptions {
  endpoint: string;
  token: string;
  signal: AbortSignal;
  /** Unix milliseconds. */
  now: () => number;
}

/** What the hub's client asks with: the token goes to the hub alone, answers are bounded, and nothing goes over a line that others can read, nor from a hub elsewhere into this network. */
export class HubFetch {
  readonly #options: HubFetchOptions;
  /** Milliseconds that the hub last asked to wait for. */
  retryAfterMs: number | undefined;

  constructor(options: HubFetchOptions) {
    this.#options = options;
  }

  /**
   * As `fetch`, but never in the same turn: where something fails before its client has told of all that it begins, that waits for ever (2.17.5, eventToGenerator).
   * Where a redirect leads is looked at as any other address is.
   * @throws HubNonsense
   */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    await aTurn();
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; ; redirects++) {
      const response = await this.#once(url, init);
      if (!REDIRECTS.includes(response.status)) return response;
      url = this.#target(url, response, init);
      if (redirects === MOST_REDIRECTS) throw new HubNonsense('it sends whoever asks in circles');
    }
  };

  /** What is sent is sent on only where the hub says that it is to be, and not where it says that something else is to be asked (RFC 9110, 15.4). */
  #target(from: URL, { status, headers }: Response, { method = 'GET' }: RequestInit): URL {
    const target = URL.parse(headers.get('Location') ?? '', from.href);
    const isKept = status === 307 || status === 308 || method === 'GET' || method === 'HEAD';
    if (!target || !isKept) throw new HubNonsense(`it redirects a ${method} with ${status}`);
    return target;
  }

  /** Whether somebody elsewhere wants something sent to what is here. */
  #leadsInside(url: URL): boolean {
    return isInside(bareHost(url)) && !isInside(bareHost(new URL(this.#options.endpoint)));
  }

  async #once(url: URL, init: RequestInit): Promise<Response> {
    const { endpoint, token, signal, now } = this.#options;
    if (!isSafe(url) || this.#leadsInside(url))
      throw new HubNonsense(`it wants files sent to ${url.protocol}//${url.host}`);
    const headers = new Headers(init.headers);
    const isForHub = headers.has('Authorization') && url.origin === new URL(endpoint).origin;
    headers.delete('Authorization');
    if (isForHub) headers.set('Authorization', `Bearer ${token}`);
    const signals = [signal, init.signal, init.method === 'PUT' ? null : AbortSignal.timeout(LONGEST_MS)];
    const until = AbortSignal.any(signals.filter((one) => one instanceof AbortSignal));
    const response = await fetch(url, { ...init, headers, signal: until, redirect: 'manual' });
    this.retryAfterMs = parseRetryAfter(response.headers.get('Retry-After'), now(), MOST_RETRY_MS);
    const body = await wholeBody(response, MOST_BYTES, () => new HubNonsense('an answer without an end'));
    const { status, statusText } = response;
    return new Response(EMPTY.includes(status) ? null : body, { status, statusText, headers: response.headers });
  }
}
