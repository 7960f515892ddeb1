import { setImmediate as aTurn } from 'node:timers/promises';
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

/** What the hub's client asks with: the token goes to the hub alone, answers are bounded, and nothing goes over a line that others can read. */
export class HubFetch {
  readonly #options: HubFetchOptions;
  /** Milliseconds that the hub last asked to wait for. */
  retryAfterMs: number | undefined;

  constructor(options: HubFetchOptions) {
    this.#options = options;
  }

  /**
   * As `fetch`, but never in the same turn: where something fails before its client has told of all that it begins, that waits for ever (2.17.5, eventToGenerator).
   * @throws HubNonsense
   */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    await aTurn();
    const { endpoint, token, signal, now } = this.#options;
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isSafe(url)) throw new HubNonsense(`it wants files sent to ${url.protocol}//${url.host}`);
    const headers = new Headers(init.headers);
    const isForHub = headers.has('Authorization') && url.origin === new URL(endpoint).origin;
    headers.delete('Authorization');
    if (isForHub) headers.set('Authorization', `Bearer ${token}`);
    const signals = [signal, init.signal, init.method === 'PUT' ? null : AbortSignal.timeout(LONGEST_MS)];
    const until = AbortSignal.any(signals.filter((one) => one instanceof AbortSignal));
    const response = await fetch(url, { ...init, headers, signal: until });
    this.retryAfterMs = parseRetryAfter(response.headers.get('Retry-After'), now(), MOST_RETRY_MS);
    const body = await wholeBody(response, MOST_BYTES, () => new HubNonsense('an answer without an end'));
    const { status, statusText } = response;
    return new Response(EMPTY.includes(status) ? null : body, { status, statusText, headers: response.headers });
  };
}
