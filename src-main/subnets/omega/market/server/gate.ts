import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { hexPattern } from '../../../../../src-preload/contract/limits.ts';
import { addressPlace } from '../../../../base/network-prefix.ts';
import { BucketMap } from '../../../../base/token-bucket.ts';
import type { NonceMarkStore } from '../../../../bittensor/axon/nonces.ts';
import type { SignatureCheck } from '../../../../bittensor/axon/signature.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import { SIGNED_FOR_MS, SIGNED_HEADERS, signedText } from '../signing.ts';
import type { MARKET_ROUTES } from '../wire.ts';
import { Problem } from './problem.ts';

/** How often, a second on average and at once. */
interface Rate {
  perSecond: number;
  burst: number;
}
const perMinute = (count: number): Rate => ({ perSecond: count / 60, burst: count });

export type MarketRoute = keyof typeof MARKET_ROUTES;

/** Of one network address (/48 of IPv6), signed or not; of one hotkey; and of one hotkey on some routes (the first three are OMEGA’s: its sheet, B13). */
export const RATES = {
  address: { perSecond: 20, burst: 200 },
  hotkey: { perSecond: 8, burst: 60 },
  routes: {
    list: perMinute(5),
    purchase: perMinute(2),
    verify: perMinute(4),
    revert: perMinute(4),
    settle: perMinute(4),
    submit: perMinute(4),
    appeal: perMinute(4),
    stats: perMinute(20),
  } as Partial<Record<MarketRoute, Rate>>,
};

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

export interface GateOptions {
  /** ss58 of the market’s own hotkey. */
  market: string;
  store: Pick<MarketStore, 'takeNonce' | 'forgetNonces'>;
  /** Up to when nonces were forgotten. */
  marks: NonceMarkStore;
  signatures: SignatureCheck;
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
 * Whom a market listens to, by the headers alone, before a byte of the body is read; from the cheapest check to the dearest. A nonce is on the disk before its
 * request is let in; one that was forgotten is too old to come again, also after a restart or with a clock that was set back.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #addresses = new BucketMap(BUCKETS);
  readonly #hotkeys = new BucketMap(BUCKETS);
  readonly #routes = new BucketMap(BUCKETS);
  /** Timestamps up to this one are refused. */
  #floor: number;

  private constructor(options: GateOptions, floor: number) {
    this.#options = options;
    this.#floor = floor;
  }

  static async open(options: GateOptions): Promise<Gate> {
    return new Gate(options, await options.marks.load(openMark(options.market)));
  }

  /** @throws Problem RATE_LIMIT, UNAUTHORIZED */
  async admit(
    { method, url, headers }: { method: string; url: string; headers: IncomingHttpHeaders },
    address: string,
    route: MarketRoute | undefined,
  ): Promise<Caller> {
    this.#count(this.#addresses, addressPlace(address), RATES.address, 'this address');
    const head = HEAD.safeParse(headers);
    if (!head.success)
      throw unauthorized(`The header ${head.error.issues[0]?.path.join('.')} is missing, or not as it should be.`);
    const { hotkey, timestamp, nonce, bodySha256, signature } = named(head.data);
    this.#refuseByAge(timestamp);
    const { market, signatures, store } = this.#options;
    const text = signedText({ market, hotkey, method, path: url, bodySha256, timestamp, nonce });
    if (!signatures.isRight(text, Buffer.from(signature, 'hex'), hotkey)) {
      throw unauthorized(`The signature is not right for the market ${market}.`);
    }
    if (!(await store.takeNonce(hotkey, nonce, timestamp))) throw unauthorized('This nonce was used before.');
    // After that: who repeats another’s requests uses up nothing of what that hotkey may.
    this.#count(this.#hotkeys, hotkey, RATES.hotkey, 'this hotkey');
    const rate = route && RATES.routes[route];
    if (rate) this.#count(this.#routes, `${route} ${hotkey}`, rate, `this hotkey for ${route}`);
    return { hotkey, address, bodySha256 };
  }

  /** Forgets nonces that are too old to come again. */
  async forget(): Promise<void> {
    const { marks, market, store, now } = this.#options;
    const before = now() - KEPT_MS;
    if (before <= this.#floor) return;
    this.#floor = before;
    await marks.raise(openMark(market), before);
    await store.forgetNonces(before);
  }

  #refuseByAge(timestamp: number): void {
    const age = this.#options.now() - timestamp;
    if (Math.abs(age) > SIGNED_FOR_MS) {
      throw unauthorized(
        `The timestamp is ${Math.round(age / 1_000)} s old by the market’s clock: it may be ${SIGNED_FOR_MS / 1_000}.`,
      );
    }
    if (timestamp <= this.#floor) throw unauthorized('The timestamp is older than what the market remembers.');
  }

  #count(buckets: BucketMap, key: string, { perSecond, burst }: Rate, whom: string): void {
    const now = this.#options.now();
    const bucket = buckets.get(key, perSecond, burst, now);
    if (bucket?.take(1, now)) return;
    throw new Problem('RATE_LIMIT', `Too many requests of ${whom}.`, {
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

/** Up to when nonces were forgotten, which is minutes before the market was open last. Beside the marks of axons, whose names are addresses. */
export const openMark = (market: string) => `market ${market}`;

function unauthorized(message: string): Problem {
  return new Problem('UNAUTHORIZED', message);
}
