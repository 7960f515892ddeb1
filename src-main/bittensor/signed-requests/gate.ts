import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { hexPattern } from '../../../src-preload/contract/limits.ts';
import { addressPlace } from '../../base/network-prefix.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import type { NonceMarkStore } from '../axon/nonces.ts';
import type { SignatureCheck } from '../axon/signature.ts';
import { RequestProblem } from './request-problem.ts';
import { SIGNED_FOR_MS, SIGNED_HEADERS, signedText } from './signed-text.ts';

/** How often, a second on average and at once. */
export interface Rate {
  perSecond: number;
  burst: number;
}
export const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

/** How often a server may be asked. */
export interface Rates<Route extends string> {
  /** Of one network address (/48 of IPv6), signed or not. */
  address: Rate;
  hotkey: Rate;
  /** Of one hotkey on some routes. */
  routes: Partial<Record<Route, Rate>>;
}

/** Nonces that were taken, on the disk. */
export interface NonceStore {
  /** @returns whether it is new. On the disk when it resolves. @param at the request’s timestamp, Unix milliseconds */
  takeNonce(hotkey: string, nonce: string, at: number): Promise<boolean>;
  /** Forgets those of before a moment. @param signal ends it early: the next time goes on there */
  forgetNonces(before: number, signal?: AbortSignal): Promise<void>;
}

/** Addresses, and hotkeys, whose rate is remembered. */
const BUCKETS = 16_384;
/** Nonces are forgotten once nothing so old is taken any more. */
const KEPT_MS = 3 * SIGNED_FOR_MS;

const HEAD = z.object({
  [SIGNED_HEADERS.hotkey]: z.string().min(40).max(60),
  [SIGNED_HEADERS.timestamp]: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  [SIGNED_HEADERS.nonce]: z.string().regex(hexPattern(16)),
  [SIGNED_HEADERS.body]: z.string().regex(hexPattern(32)),
  [SIGNED_HEADERS.signature]: z.string().regex(hexPattern(64)),
});

export interface GateOptions<Route extends string> {
  /** The first line of what is signed, and what it is called in sentences: `quarry-market-1`, `market`. */
  tag: string;
  name: string;
  /** ss58 of the server’s own hotkey. */
  server: string;
  rates: Rates<Route>;
  store: NonceStore;
  /** Up to when nonces were forgotten. */
  marks: NonceMarkStore;
  signatures: SignatureCheck;
  /** Told of a signature that is not right. */
  onForged?: (address: string) => Promise<void>;
  /** Unix milliseconds. */
  now: () => number;
}

/** Who asks, proven by a signature. */
export interface Caller {
  /** ss58. */
  hotkey: string;
  /** Where the request comes from. */
  address: string;
  /** What the body has to be, 64 hex. */
  bodySha256: string;
}

/**
 * Whom a server listens to, by the headers alone, before a byte of the body is read; from the cheapest check to the dearest. A nonce is on the disk before its
 * request is let in; one that was forgotten is too old to come again, also after a restart or with a clock that was set back.
 */
export class Gate<Route extends string> {
  readonly #options: GateOptions<Route>;
  readonly #addresses = new BucketMap(BUCKETS);
  readonly #hotkeys = new BucketMap(BUCKETS);
  readonly #routes = new BucketMap(BUCKETS);
  /** Timestamps up to this one are refused. */
  #floor: number;

  private constructor(options: GateOptions<Route>, floor: number) {
    this.#options = options;
    this.#floor = floor;
  }

  static async open<Route extends string>(options: GateOptions<Route>): Promise<Gate<Route>> {
    return new Gate(options, await options.marks.load(openMark(options)));
  }

  /** @throws RequestProblem RATE_LIMIT, UNAUTHORIZED */
  async admit(
    { method, url, headers }: { method: string; url: string; headers: IncomingHttpHeaders },
    address: string,
    route: Route | undefined,
  ): Promise<Caller> {
    this.admitUnsigned(address);
    const head = HEAD.safeParse(headers);
    if (!head.success)
      throw unauthorized(`The header ${head.error.issues[0]?.path.join('.')} is missing, or not as it should be.`);
    const { hotkey, timestamp, nonce, bodySha256, signature } = named(head.data);
    this.#refuseByAge(timestamp);
    const { tag, name, server, rates, signatures, store } = this.#options;
    const text = signedText({ tag, server, hotkey, method, path: url, bodySha256, timestamp, nonce });
    if (!signatures.isRight(text, Buffer.from(signature, 'hex'), hotkey)) {
      await this.#options.onForged?.(address);
      throw unauthorized(`The signature is not right for the ${name} ${server}.`);
    }
    if (!(await store.takeNonce(hotkey, nonce, timestamp))) throw unauthorized('This nonce was used before.');
    // After that: who repeats another’s requests uses up nothing of what that hotkey may.
    this.#count(this.#hotkeys, hotkey, rates.hotkey, 'this hotkey');
    const rate = route && rates.routes[route];
    if (rate) this.#count(this.#routes, `${route} ${hotkey}`, rate, `this hotkey for ${route}`);
    return { hotkey, address, bodySha256 };
  }

  /** Where nobody has to sign, addresses have their rate all the same. @throws RequestProblem RATE_LIMIT */
  admitUnsigned(address: string): void {
    this.#count(this.#addresses, addressPlace(address), this.#options.rates.address, 'this address');
  }

  /** Forgets nonces that are too old to come again. @param signal ends it early: the next time goes on there */
  async forget(signal?: AbortSignal): Promise<void> {
    const { marks, store, now } = this.#options;
    const before = now() - KEPT_MS;
    if (before <= this.#floor) return;
    this.#floor = before;
    await marks.raise(openMark(this.#options), before);
    await store.forgetNonces(before, signal);
  }

  #refuseByAge(timestamp: number): void {
    const { name, now } = this.#options;
    const age = now() - timestamp;
    if (Math.abs(age) > SIGNED_FOR_MS) {
      throw unauthorized(
        `The timestamp is ${Math.round(age / 1_000)} s old by the ${name}’s clock: it may be ${SIGNED_FOR_MS / 1_000}.`,
      );
    }
    if (timestamp <= this.#floor) throw unauthorized(`The timestamp is older than what the ${name} remembers.`);
  }

  #count(buckets: BucketMap, key: string, { perSecond, burst }: Rate, whom: string): void {
    const now = this.#options.now();
    const bucket = buckets.get(key, perSecond, burst, now);
    if (bucket?.take(1, now)) return;
    throw new RequestProblem('RATE_LIMIT', `Too many requests of ${whom}.`, {
      retryAfterMs: bucket?.waitMs(1, now) ?? 60_000,
    });
  }
}

function named(head: z.infer<typeof HEAD>) {
  const { hotkey, timestamp, nonce, body, signature } = SIGNED_HEADERS;
  return {
    hotkey: head[hotkey],
    timestamp: head[timestamp],
    nonce: head[nonce],
    bodySha256: head[body],
    signature: head[signature],
  };
}

/** Up to when nonces were forgotten, which is minutes before the server was open last. Beside the marks of axons, whose names are addresses. */
export const openMark = ({ name, server }: Pick<GateOptions<string>, 'name' | 'server'>) => `${name} ${server}`;

function unauthorized(message: string): RequestProblem {
  return new RequestProblem('UNAUTHORIZED', message);
}
