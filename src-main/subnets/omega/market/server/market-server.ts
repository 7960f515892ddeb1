import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Caller } from '../../../../bittensor/signed-requests/gate.ts';
import { refuseOtherBody } from '../../../../bittensor/signed-requests/request-body.ts';
import { ToldFailures } from '../../../../bittensor/signed-requests/told-failures.ts';
import { DEFAULT_HTTP_LIMITS, HttpListener } from '../../../../http/http-listener.ts';
import type { TlsPaths } from '../../../../http/tls-files.ts';
import { MARKET_PATH, MARKET_ROUTES, MAX_MARKET_BODY_BYTES, MAX_PIECE_BYTES } from '../wire.ts';
import type { MarketGate, MarketRoute } from './market-gate.ts';
import { Problem } from './problem.ts';
import { readId } from './requests.ts';
import { UploadPlaces } from './upload-places.ts';

/** What a route is given: who asks, and what of it was signed. */
export interface Asked {
  caller: Caller;
  params: unknown;
  query: unknown;
  /** Bytes; undefined where there are none. */
  body: unknown;
  headers: FastifyRequest['headers'];
}

/** What a route answers: a document with its status, or bytes. */
export type Answer = { status: number; document: object } | Response;

export type Answers = Record<MarketRoute, (asked: Asked) => Promise<Answer>>;

export interface MarketServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls: TlsPaths | undefined;
  behindProxy: boolean;
  gate: MarketGate;
  answers: Answers;
  /** Asked before a byte of a piece is read. @returns who sells it @throws Problem NOT_FOUND for another’s offer */
  uploader(hotkey: string, offer: string): Promise<string>;
  /** Milliseconds for a request to arrive whole. Default 60,000: a piece over a slow line. */
  requestTimeoutMs?: number;
  /** Milliseconds between two looks at whether a piece comes at all: see {@link UploadPlaces}. */
  pieceLookMs?: number;
  log: Logger;
}

const REQUEST_MS = 60_000;
/** The unread rest of a refused request that is read, so that the refusal reaches who still sends. Beyond it the connection ends. */
const REST_BYTES = 256 << 10;

/** The market’s door: every request is let in by its signature before its body is read, and answered or refused with HTTP’s own statuses. A resource. */
export class MarketServer {
  readonly #options: MarketServerOptions;
  readonly #listener: HttpListener;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();
  readonly #failures: ToldFailures;
  readonly #uploads: UploadPlaces;
  #answered = 0;

  constructor(options: MarketServerOptions) {
    const { host, port, tls, behindProxy, requestTimeoutMs = REQUEST_MS, log } = options;
    this.#options = options;
    this.#failures = new ToldFailures('market', log);
    this.#uploads = new UploadPlaces(options.pieceLookMs);
    this.#listener = new HttpListener({
      ...{
        host,
        port,
        tls,
        behindProxy,
        log,
        portSetting: { name: 'market.port', flag: 'the variable QUARRY_MARKET_PORT' },
      },
      limits: { ...DEFAULT_HTTP_LIMITS, bodyBytes: MAX_PIECE_BYTES, requestTimeoutMs },
      failures: {
        failure: (error) => this.#failures.of(error),
        unknownPath: () => new Problem('NOT_FOUND', 'Nothing is served there.'),
      },
      addRoutes: async (app) => this.#addRoutes(app),
    });
  }

  /** Where programs of this machine find it. */
  get url(): string {
    return this.#listener.url;
  }

  /** @throws QuarryError PORT_IN_USE, CONFIG_INVALID */
  open(): Promise<void> {
    return this.#listener.open();
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  /** Requests since it was opened; refused ones by status. */
  report(): { answered: number; refused: ReadonlyMap<number, number> } {
    return { answered: this.#answered, refused: this.#failures.refused };
  }

  #addRoutes(app: FastifyInstance): void {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.addHook('onRequest', (request, reply) => this.#admit(request, reply));
    app.addHook('preHandler', async (request) => refuseOtherBody(this.#caller(request), request.body));
    for (const route of Object.keys(MARKET_ROUTES) as MarketRoute[]) {
      const [method = '', path = ''] = MARKET_ROUTES[route].split(' ');
      app.route({
        ...{ method, url: `${MARKET_PATH}${path}`, exposeHeadRoute: false },
        bodyLimit: route === 'upload' ? MAX_PIECE_BYTES : MAX_MARKET_BODY_BYTES,
        config: { route },
        handler: (request, reply) => this.#answer(route, request, reply),
      });
    }
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { headers, method, ip } = request;
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(length <= REST_BYTES)) reply.header('connection', 'close');
    const { route } = request.routeOptions.config as { route?: MarketRoute };
    const caller = await this.#options.gate.admit({ method, url: request.raw.url ?? '', headers }, ip, route);
    if (route === 'upload') {
      const offer = readId(request.params, 'id', 'offer');
      this.#takePlace(await this.#options.uploader(caller.hotkey, offer), request, reply);
    }
    this.#listener.letIn(request, { isKnown: false });
    reply.removeHeader('connection');
    this.#callers.set(request, caller);
  }

  /** @throws Problem UNAVAILABLE while there are too many */
  #takePlace(seller: string, { raw: request }: FastifyRequest, { raw: response }: FastifyReply): void {
    const { socket } = request;
    const giveBack = this.#uploads.take(seller, {
      bytes: () => socket.bytesRead,
      isWhole: () => request.complete,
      end: () => socket.destroy(),
    });
    response.once('close', giveBack);
  }

  #caller(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (!caller) throw new Error('A request came past the gate.');
    return caller;
  }

  async #answer(route: MarketRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { params, query, body, headers } = request;
    const answer = await this.#options.answers[route]({ caller: this.#caller(request), params, query, body, headers });
    this.#answered++;
    reply.header('cache-control', 'no-store');
    if (!(answer instanceof Response)) return reply.code(answer.status).send(answer.document);
    const { status, headers: told, body: bytes } = answer;
    reply.code(status).headers(Object.fromEntries(told));
    return reply.send(bytes ? Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]) : undefined);
  }
}
