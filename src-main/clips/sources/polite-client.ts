import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import { wholeBody } from '../../base/whole-body.ts';
import { SourceError } from '../../models/downloads/byte-source.ts';
import type { HttpClient } from '../../models/downloads/http-client.ts';
import type { HttpAnswer } from '../../models/downloads/http-exchange.ts';
import { connectionError } from '../../models/downloads/http-refusal.ts';
import { explainSourceError, Nonsense } from './source-errors.ts';

export interface PoliteClientOptions {
  /** It follows redirects, though into no private network, and says who asks. */
  client: Pick<HttpClient, 'get'>;
  /** Whether the settings name this origin: it may be without TLS, and on this computer. Default: none is. */
  isNamed?: (origin: string) => boolean;
  /** Milliseconds between two requests to one host, on average. Default 1,000. */
  paceMs?: number;
  /** So many requests to a host may come at once after a while without any. Default 2. */
  burst?: number;
  /** Milliseconds in which an answer in JSON has to be complete. Default 30,000. */
  deadlineMs?: number;
  /** Bytes of an answer in JSON. Default 2 MiB: what is parsed in 20 ms. */
  mostBytes?: number;
  /** Milliseconds after a first failure; twice as long after each further one. Default 1,000. */
  firstRetryMs?: number;
  /** A longer wait is left to whoever asks. Milliseconds, default 30,000. */
  patienceMs?: number;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  now?: () => number;
  /** Waits so many milliseconds. @throws the signal's reason */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Of one request, if what keeps it from an answer may pass. */
const TRIES = 3;
const MOST_HOSTS = 1_000;

/** As a source asks by it. */
export type ApiClient = Pick<PoliteClient, 'get' | 'json'>;

/**
 * The one door through which the sources ask the web: over TLS, one host at a time no faster than is polite, with a rest where a host asks for one, and again where a failure may pass.
 * Whatever comes back is bounded before it is looked at.
 */
export class PoliteClient {
  readonly #options: PoliteClientOptions;
  readonly #buckets = new BucketMap(MOST_HOSTS);
  /** Until when hosts want to be left alone, by the clock of `now`. */
  readonly #resting = new Map<string, number>();

  constructor(options: PoliteClientOptions) {
    this.#options = options;
  }

  /**
   * GET, as `HttpClient.get`, when it is the host's turn.
   * @throws QuarryError for an address that is not asked; SourceError; the signal's reason
   */
  async get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer> {
    return await this.#politely(url, signal, () => this.#options.client.get(url, headers, signal));
  }

  /**
   * What a server says as JSON, in the shape that is asked for.
   * @returns undefined where it has no such thing
   * @throws QuarryError what keeps it from being had; the signal's reason
   */
  async json<Schema extends z.ZodType>(url: URL, schema: Schema, signal: AbortSignal) {
    try {
      return await this.#politely(url, signal, () => this.#askOnce(url, schema, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceError && error.fault === 'missing' && error.cause === undefined) return undefined;
      throw explainSourceError(error, url.host);
    }
  }

  async #askOnce<Schema extends z.ZodType>(url: URL, schema: Schema, signal: AbortSignal): Promise<z.output<Schema>> {
    const { client, deadlineMs = 30_000, mostBytes = 2 << 20 } = this.#options;
    const ending = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    const answer = await client.get(url, { accept: 'application/json' }, ending);
    try {
      const { data, error } = schema.safeParse(parsed(await jsonBody(answer, mostBytes)));
      if (error) throw new Nonsense('another shape', { cause: error });
      return data as z.output<Schema>;
    } catch (error) {
      ending.throwIfAborted();
      throw error instanceof Nonsense ? error : connectionError(url.host, error);
    } finally {
      answer.drop();
    }
  }

  /** Once it is the host's turn, and once more where what went wrong may pass. */
  async #politely<Done>(url: URL, signal: AbortSignal, work: () => Promise<Done>): Promise<Done> {
    this.#check(url);
    for (let failures = 1; ; failures++) {
      await this.#turn(url.host, signal);
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SourceError) || !isPassing(error)) throw error;
        const { firstRetryMs: firstMs = 1_000 } = this.#options;
        this.#rest(url.host, Math.max(error.retryAfterMs ?? 0, backOffMs(failures, { firstMs })));
        if (failures === TRIES || this.#restMs(url.host) > this.#patienceMs) throw error;
      }
    }
  }

  #check({ protocol, origin, host }: URL): void {
    if (protocol === 'https:' || (protocol === 'http:' && this.#options.isNamed?.(origin))) return;
    throw new QuarryError({
      code: 'DOWNLOAD_FAILED',
      message: say('clipSources.unencrypted', { host }),
      hint: say('clipSources.otherVideo'),
    });
  }

  /** Waits for the host's turn. @throws RATE_LIMIT where that would be long */
  async #turn(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { paceMs = 1_000, burst = 2, sleep = waited } = this.#options;
    const now = this.#now();
    const bucket = this.#buckets.get(host, 1_000 / paceMs, burst, now);
    const waitMs = Math.max(this.#restMs(host), bucket?.waitMs(1, now) ?? paceMs);
    if (waitMs > this.#patienceMs) {
      throw new SourceError('busy', say('download.patience', { host, status: '429' }), { retryAfterMs: waitMs });
    }
    bucket?.spend(1, now);
    if (waitMs > 0) await sleep(waitMs, signal);
  }

  #rest(host: string, ms: number): void {
    const until = this.#now() + ms;
    this.#resting.delete(host);
    this.#resting.set(host, until);
    const [oldest] = this.#resting.keys();
    if (this.#resting.size > MOST_HOSTS && oldest !== undefined) this.#resting.delete(oldest);
  }

  #restMs(host: string): number {
    return Math.max(0, (this.#resting.get(host) ?? 0) - this.#now());
  }

  get #patienceMs(): number {
    return this.#options.patienceMs ?? 30_000;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}

/** Whether the same question may have an answer a moment later. Of one that reached nobody, that is left to whoever asks. */
function isPassing({ reason, fault }: SourceError): boolean {
  return (reason === 'lost' || reason === 'busy') && fault !== 'offline';
}

/** @throws Nonsense for one that is too long, or no JSON */
async function jsonBody(answer: HttpAnswer, mostBytes: number): Promise<Buffer> {
  const { 'content-type': type = '', 'content-length': length, 'content-encoding': encoding } = answer.headers;
  if (answer.status !== 200 || !/\bjson\b/i.test(type)) throw new Nonsense(`status ${answer.status}, «${type}»`);
  if (encoding !== undefined && encoding !== 'identity') throw new Nonsense(`packed as ${encoding}`);
  const tooMuch = () => new Nonsense(`more than ${mostBytes} bytes`);
  if (Number(length) > mostBytes) throw tooMuch();
  return await wholeBody({ body: ReadableStream.from(answer.body()) }, mostBytes, tooMuch);
}

function parsed(body: Buffer): unknown {
  const excess = jsonExcess(body);
  if (excess) throw new Nonsense(`too much of it: ${excess}`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Nonsense('no JSON', { cause: error });
  }
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
