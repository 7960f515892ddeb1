import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256 } from '../../src-main/base/sha256.ts';
import {
  SIGNED_HEADERS,
  type SignedRequest,
  signedText,
} from '../../src-main/bittensor/signed-requests/signed-text.ts';
import {
  MARKET_PATH,
  type MarketErrorCode,
  type MarketList,
  type MarketStats,
  type MarketTask,
  type OfferView,
  type Paid,
  type PurchaseView,
  submitSchema,
} from '../../src-main/subnets/omega/market/wire.ts';

export const MARKET_KEY = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
export const MARKET_CHAIN = `0x${'11'.repeat(32)}`;
export const BUYER = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
export const SELLER = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';
const HOUR_MS = 3_600_000;

/** What stands in the place of an answer: a refusal, bytes that are none, or silence. */
export type Fault = { status: number; code?: MarketErrorCode; message?: string; retryAfter?: number } | 'cut' | string;

interface Asked extends Omit<SignedRequest, 'tag' | 'server'> {
  route: string;
  body: Buffer;
  headers: IncomingMessage['headers'];
  signature: string;
}

/** A market in memory that speaks the wire and believes everything: what it is asked is kept, and each route can be put out of order. */
export class SmallMarket {
  /** All that came, in order. */
  readonly asked: Asked[] = [];
  readonly offers = new Map<string, OfferView>();
  readonly uploads = new Map<string, Buffer[]>();
  readonly purchases = new Map<string, PurchaseView>();
  readonly videos = new Map<string, MarketList['videos'][number] & { file: Buffer }>();
  /** By route, `POST /purchases`: what comes next instead of an answer, one after the other. `after` does the thing first. */
  readonly faults = new Map<string, (Fault | { after: Fault })[]>();
  /** By route: what it is asked is done at once, and answered after this. */
  readonly late = new Map<string, Promise<void>>();
  /** What a payment counts as. */
  onVerify: (purchase: PurchaseView, paid: Paid) => Partial<PurchaseView> = (_, paid) => ({
    state: 'paid',
    next: 'fetch',
    keptUntil: Date.now() + HOUR_MS,
    payment: { ...paid, at: Date.now() },
  });
  /** Told of a new offer, before anything of it came. */
  onOffer: (offer: OfferView) => void = () => {};
  /** Rao, of an offer that is whole. */
  price = '5000000';
  /** Videos that are given at a time, and the most there were; none is before this. */
  givingNow = 0;
  mostGiving = 0;
  mayGive: Promise<void> = Promise.resolve();
  /** What a lock is told to be. */
  onLock: (purchase: PurchaseView) => Partial<PurchaseView> = () => ({});
  lockMs = 20 * 60_000;
  chain = MARKET_CHAIN;
  /** Who owns the hotkey that buys. */
  buyer = BUYER;
  key = MARKET_KEY;
  /** Bytes of a video after which the connection is cut, once. */
  cutAfter: number | undefined;
  stats: Partial<MarketStats> = {};
  tasks: MarketTask[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** @param price rao */
  put(title: string, price: string, file = randomBytes(50_000)): string {
    const id = randomBytes(16).toString('hex');
    const about = {
      id,
      title,
      description: `${title}, at work`,
      kind: 'user' as const,
      score: 0.8,
      price,
      seller: SELLER,
    };
    this.videos.set(id, { ...about, bytes: file.length, durationMs: 90_000, file });
    return id;
  }

  fail(route: string, ...faults: (Fault | { after: Fault })[]): void {
    this.faults.set(route, [...(this.faults.get(route) ?? []), ...faults]);
  }

  /** How often a route was asked. */
  count(route: string): number {
    return this.asked.filter((one) => one.route === route).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = '', url = '', headers } = request;
    const route = `${method} ${url
      .slice(MARKET_PATH.length)
      .split('?')[0]
      ?.replaceAll(/[0-9a-f]{16,}/g, ':id')}`;
    const header = (name: keyof typeof SIGNED_HEADERS) => String(headers[SIGNED_HEADERS[name]]);
    this.asked.push({
      ...{ route, method, body, headers, path: url, hotkey: header('hotkey'), timestamp: Number(header('timestamp')) },
      ...{ nonce: header('nonce'), bodySha256: header('body'), signature: header('signature') },
    });
    const fault = this.faults.get(route)?.shift();
    const isAfter = typeof fault === 'object' && 'after' in fault;
    if (fault !== undefined && !isAfter) return this.#break(response, fault);
    const ids = url.match(/[0-9a-f]{32}/g) ?? [];
    const answer = this.#answer(route, ids, body, headers);
    await this.late.get(route);
    if (isAfter) return this.#break(response, fault.after);
    if (answer === undefined) return this.#break(response, { status: 404, code: 'NOT_FOUND' });
    if (Buffer.isBuffer(answer)) {
      this.mostGiving = Math.max(this.mostGiving, ++this.givingNow);
      await this.mayGive;
      response.on('close', () => this.givingNow--);
      return this.#give(request, response, answer);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #break(response: ServerResponse, fault: Fault): void {
    if (fault === 'cut') return void response.socket?.destroy();
    if (typeof fault === 'string') return void response.writeHead(200).end(fault);
    const { status, code, message = 'as the test wants it', retryAfter } = fault;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      code ? JSON.stringify({ error: { code, message, ...(retryAfter !== undefined && { retryAfter }) } }) : '?',
    );
  }

  #give(request: IncomingMessage, response: ServerResponse, file: Buffer): void {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? range : {});
    const end = this.cutAfter;
    this.cutAfter = undefined;
    if (end === undefined) return void response.end(file.subarray(from));
    response.write(file.subarray(from, end), () => setTimeout(() => response.socket?.destroy(), 20));
  }

  #answer(route: string, [id = '', second = '']: string[], body: Buffer, headers: IncomingMessage['headers']): unknown {
    const offer = this.offers.get(id);
    const purchase = this.purchases.get(id);
    const json = () => JSON.parse(body.toString('utf8'));
    switch (route) {
      case 'GET /stats':
        return { ...this.#stats(), ...this.stats };
      case 'GET /list':
        return { videos: [...this.videos.values()].map(({ file: _, ...video }) => video), madeAt: Date.now() };
      case 'GET /tasks':
        return { tasks: this.tasks };
      case 'POST /offers':
        return this.#offer(json());
      case 'GET /offers':
        return { offers: [...this.offers.values()].reverse(), more: false };
      case 'GET /offers/:id':
        return offer;
      case 'PUT /offers/:id/bytes':
        return offer && this.#upload(offer, body, String(headers['content-range']));
      case 'POST /offers/:id/appeal':
        return offer && Object.assign(offer, { state: 'review', changedAt: Date.now() });
      case 'DELETE /offers/:id':
        return offer && Object.assign(offer, { state: 'withdrawn' });
      case 'POST /offers/:id/owed/:id/settle':
        return offer && Object.assign(offer, { owed: offer.owed.filter((one) => one.purchase !== second) });
      case 'POST /purchases':
        return this.#purchase(json().video);
      case 'GET /purchases':
        return { purchases: [...this.purchases.values()].reverse(), more: false };
      case 'GET /purchases/:id':
        return purchase;
      case 'POST /purchases/:id/verify':
        return purchase && Object.assign(purchase, this.onVerify(purchase, json()));
      case 'POST /purchases/:id/revert':
        return purchase && Object.assign(purchase, { state: 'reverted', next: 'verify' });
      case 'GET /purchases/:id/video':
        return purchase && this.videos.get(purchase.video)?.file;
      default:
        return undefined;
    }
  }

  #offer(submitted: unknown): OfferView {
    const { title, kind, seller, sha256: hash, bytes, durationMs } = submitSchema.parse(submitted);
    const id = randomBytes(16).toString('hex');
    const now = Date.now();
    const offer: OfferView = {
      ...{ id, state: 'uploading', title, kind, seller, sha256: hash, bytes, durationMs, nextByte: 0 },
      ...{ score: null, price: null, reason: null, owed: [], createdAt: now, changedAt: now },
    };
    this.offers.set(id, offer);
    this.onOffer(offer);
    return offer;
  }

  #upload(offer: OfferView, body: Buffer, range: string): OfferView {
    const [, from, last, all] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range)?.map(Number) ?? [];
    const isNext = from === offer.nextByte && last === offer.nextByte + body.length - 1 && all === offer.bytes;
    if (!isNext) throw new Error(`${range} after ${offer.nextByte}`);
    const pieces = [...(this.uploads.get(offer.id) ?? []), body];
    this.uploads.set(offer.id, pieces);
    offer.nextByte += body.length;
    const isWhole = offer.nextByte === offer.bytes;
    if (isWhole && sha256(Buffer.concat(pieces)).toString('hex') !== offer.sha256) throw new Error('another file');
    if (isWhole) Object.assign(offer, { state: 'submitted', score: 0.7, price: this.price, changedAt: Date.now() });
    return offer;
  }

  #purchase(id: string): PurchaseView | undefined {
    const video = this.videos.get(id);
    const known = [...this.purchases.values()].find((one) => one.video === id && one.state === 'pending');
    if (known || !video) return known;
    const now = Date.now();
    const { title, price, bytes, file } = video;
    const purchase: PurchaseView = {
      ...{ id: randomBytes(16).toString('hex'), state: 'pending', video: id, title, price, bytes },
      ...{ sha256: sha256(file).toString('hex'), from: this.buyer, to: SELLER, afterBlock: 5, untilBlock: 500 },
      ...{
        createdAt: now,
        lockedUntil: now + this.lockMs,
        payment: null,
        paidBack: null,
        next: 'verify',
        keptUntil: null,
      },
      failures: { inARow: 0, ban: 5 },
    };
    Object.assign(purchase, this.onLock(purchase));
    this.purchases.set(purchase.id, purchase);
    return purchase;
  }

  #stats(): MarketStats {
    return {
      ...{ market: this.key, chain: this.chain, listed: this.videos.size },
      terms: {
        ...{ lockMs: this.lockMs, failures: 5, banMs: 24 * HOUR_MS, locksAtOnce: 3, purchasesADay: 50 },
        ...{ maxVideoBytes: 1_000_000_000, keepMs: 30 * 24 * HOUR_MS },
      },
      day: { sold: 0, spent: '0', budget: '1000000000000', left: '1000000000000' },
      own: { spent: '0', share: 0, bannedUntil: null },
    };
  }
}

/** The text that a request was signed over, had it been meant for this market. */
export const textOf = (asked: Asked, market = MARKET_KEY): string =>
  signedText({ ...asked, tag: 'quarry-market-1', server: market });
