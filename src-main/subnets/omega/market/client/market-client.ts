import type { z } from 'zod';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../../../base/json-text.ts';
import { wholeBody } from '../../../../base/whole-body.ts';
import { safeUrl } from '../../../../bittensor/signed-requests/safe-url.ts';
import { type RequestSigner, signRequest } from '../../../../bittensor/signed-requests/sign-request.ts';
import { toldRefusal } from '../../../../bittensor/signed-requests/told-refusal.ts';
import { MARKET_TAG } from '../signing.ts';
import {
  listSchema,
  MARKET_PATH,
  type MarketErrorCode,
  type MarketList,
  type MarketStats,
  type MarketTask,
  marketErrorSchema,
  type OfferView,
  offerSchema,
  offersSchema,
  type Paid,
  type PurchaseView,
  purchaseSchema,
  purchasesSchema,
  type Submit,
  statsSchema,
  tasksSchema,
} from '../wire.ts';
import { MarketRefusal, nonsense, refused, unreachable } from './market-problems.ts';

export interface MarketClientOptions {
  /** `https://…`, or `http://` on this computer. What stands behind the host is not looked at. */
  url: string;
  /** ss58 of the market's own key: what is signed for it is good for no other. */
  key: string;
  signer: RequestSigner;
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** For a whole answer of JSON, milliseconds. Default 30,000 */
  answerMs?: number;
}

interface Request {
  body?: Uint8Array | undefined;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/** A page of offers with all that may be owed is far below this. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const ANSWER_MS = 30_000;

/**
 * Speaks with one market, a request at a time and nothing twice: who wants to try again does so. Each request is signed, and each answer is measured before it is read.
 * All of it throws {@link MarketRefusal}, DEADLINE (nobody is there) and PROTOCOL (an answer that makes no sense).
 */
export class MarketClient {
  /** `host:port` */
  readonly host: string;
  readonly key: string;
  readonly hotkey: string;
  readonly #origin: string;
  readonly #options: Required<MarketClientOptions>;

  /** @throws BAD_REQUEST for an address that is neither HTTPS nor on this computer */
  constructor(options: MarketClientOptions) {
    const url = safeUrl(options.url);
    if (!url) throw refused(say('trade.notSafe', { url: options.url.slice(0, 200) }), 'trade.url');
    this.#options = { fetch: globalThis.fetch, now: Date.now, answerMs: ANSWER_MS, ...options };
    this.#origin = url.origin;
    this.host = url.host;
    this.key = options.key;
    this.hotkey = options.signer.address;
  }

  /** @throws BAD_REQUEST also where another market answers than the one that is set */
  async stats(signal: AbortSignal): Promise<MarketStats> {
    const stats = await this.#json('GET', '/stats', statsSchema, { signal });
    if (stats.market === this.key) return stats;
    throw refused(say('trade.otherKey', { host: this.host, key: stats.market }), 'trade.key');
  }

  list(signal: AbortSignal): Promise<MarketList> {
    return this.#json('GET', '/list', listSchema, { signal });
  }

  /** What the market wants recordings of. */
  async tasks(signal: AbortSignal): Promise<MarketTask[]> {
    return (await this.#json('GET', '/tasks', tasksSchema, { signal })).tasks;
  }

  submit(submit: Submit, signal: AbortSignal): Promise<OfferView> {
    return this.#json('POST', '/offers', offerSchema, { body: jsonOf(submit), signal });
  }

  offer(id: string, signal: AbortSignal): Promise<OfferView> {
    return this.#json('GET', `/offers/${id}`, offerSchema, { signal });
  }

  /** Newest first. @param before `createdAt` of the last one that is known */
  offers(before: number | undefined, signal: AbortSignal): Promise<z.infer<typeof offersSchema>> {
    return this.#json('GET', `/offers${pageOf(before)}`, offersSchema, { signal });
  }

  /** A piece of a video. @param from its first byte, of `all` */
  upload(id: string, piece: Uint8Array, { from, all }: { from: number; all: number }, signal: AbortSignal) {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${from + piece.length - 1}/${all}`,
    };
    return this.#json('PUT', `/offers/${id}/bytes`, offerSchema, { body: piece, headers, signal });
  }

  withdraw(id: string, signal: AbortSignal): Promise<OfferView> {
    return this.#json('DELETE', `/offers/${id}`, offerSchema, { signal });
  }

  /** Has a person of the market look at what was rejected. */
  appeal(id: string, note: string, signal: AbortSignal): Promise<OfferView> {
    return this.#json('POST', `/offers/${id}/appeal`, offerSchema, { body: jsonOf({ note }), signal });
  }

  /** Says that a buyer was paid back. */
  settle(offer: string, purchase: string, paid: Paid, signal: AbortSignal): Promise<OfferView> {
    const path = `/offers/${offer}/owed/${purchase}/settle`;
    return this.#json('POST', path, offerSchema, { body: jsonOf(paid), signal });
  }

  /** Locks a video. @param price rao, as the list showed it */
  purchase(video: string, price: string, signal: AbortSignal): Promise<PurchaseView> {
    return this.#json('POST', '/purchases', purchaseSchema, { body: jsonOf({ video, price }), signal });
  }

  /** Newest first. @param before `createdAt` of the last one that is known */
  purchases(before: number | undefined, signal: AbortSignal): Promise<z.infer<typeof purchasesSchema>> {
    return this.#json('GET', `/purchases${pageOf(before)}`, purchasesSchema, { signal });
  }

  purchaseOf(id: string, signal: AbortSignal): Promise<PurchaseView> {
    return this.#json('GET', `/purchases/${id}`, purchaseSchema, { signal });
  }

  /** Says that a purchase was paid. */
  verify(id: string, paid: Paid, signal: AbortSignal): Promise<PurchaseView> {
    return this.#json('POST', `/purchases/${id}/verify`, purchaseSchema, { body: jsonOf(paid), signal });
  }

  /** Gives a lock back. */
  revert(id: string, signal: AbortSignal): Promise<PurchaseView> {
    return this.#json('POST', `/purchases/${id}/revert`, purchaseSchema, { signal });
  }

  /** The bytes of a video that was bought, from one on. Whoever reads them bounds them. @returns the answer with status 200 or 206 */
  async video(id: string, from: number, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const response = await this.#send('GET', `/purchases/${id}/video`, { headers, signal });
    if (response.ok) return response;
    throw this.#refusal(response, await this.#text(response));
  }

  async #json<Shape extends z.ZodType>(
    method: string,
    path: string,
    shape: Shape,
    { signal, ...request }: Request,
  ): Promise<z.infer<Shape>> {
    const patience = AbortSignal.timeout(this.#options.answerMs);
    const response = await this.#send(
      method,
      path,
      { ...request, signal: AbortSignal.any([signal, patience]) },
      signal,
    );
    const text = await this.#text(response, signal);
    if (!response.ok) throw this.#refusal(response, text);
    const { data } = shape.safeParse(parsedJson(text));
    if (data === undefined) throw nonsense(this.host, `${method} ${path.split('/')[1]?.split('?')[0]}`);
    return data;
  }

  /** @param own ends it without a word about the market */
  async #send(method: string, path: string, { body, headers, signal }: Request, own = signal): Promise<Response> {
    const { signer, key: server, fetch, now } = this.#options;
    const whole = `${MARKET_PATH}${path}`;
    const signed = await signRequest(signer, {
      ...{ tag: MARKET_TAG, server, method, path: whole, body, timestamp: now() },
    });
    try {
      return await fetch(`${this.#origin}${whole}`, {
        method,
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers, ...signed },
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'error',
        signal,
      });
    } catch (error) {
      own.throwIfAborted();
      throw unreachable(this.host, error);
    }
  }

  /** @param own ends it without a word about the market */
  async #text(response: Response, own?: AbortSignal): Promise<string> {
    const tooMuch = () => nonsense(this.host, `${MAX_ANSWER_BYTES} B`);
    try {
      return (await wholeBody(response, MAX_ANSWER_BYTES, tooMuch)).toString('utf8');
    } catch (error) {
      own?.throwIfAborted();
      throw error instanceof QuarryError ? error : unreachable(this.host, error);
    }
  }

  #refusal(response: Response, text: string) {
    const options = { schema: marketErrorSchema, byStatus: { 410: 'GONE' } as const, now: this.#options.now() };
    const told = toldRefusal<MarketErrorCode>(response, text, options);
    if (!told) return nonsense(this.host, String(response.status));
    return new MarketRefusal(told.error, told.isClockOff ? say('trade.clock') : undefined);
  }
}

const jsonOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));
const pageOf = (before: number | undefined) => (before === undefined ? '' : `?before=${before}`);
