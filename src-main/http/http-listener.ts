import type { IncomingMessage } from 'node:http';
import type { Server as TlsServer } from 'node:tls';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { placeText } from '../../src-preload/contract/place.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { jsonExcess, MAX_JSON_LEVELS, MAX_JSON_MARKS } from '../base/json-shape.ts';
import { isLoopback } from '../base/loopback.ts';
import { ignoring } from '../base/swallowed.ts';
import { Connections } from './connections.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { TlsFiles, type TlsPair, type TlsPaths } from './tls-files.ts';

export interface HttpLimits {
  /** Most bytes of a request's body. Default 4 MiB. */
  bodyBytes: number;
  /** Most connections at a time from this machine, and as many from elsewhere. Default 512. */
  connections: number;
  /** Milliseconds for a request to arrive whole. Default 30,000. */
  requestTimeoutMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = { bodyBytes: 4 << 20, connections: 512, requestTimeoutMs: 30_000 };

/** A failed request, as it is answered. */
export interface Failure {
  status: number;
  headers?: Record<string, string | number>;
  body: object;
}

/** How whoever is served is told of failures: each protocol has its own way. */
export interface FailureFormat {
  /** Of what a route threw, or Fastify: bodies that are too long, not JSON or of another kind have a `statusCode`. */
  failure: (error: unknown) => Failure;
  /** What is thrown for a path that nobody serves. */
  unknownPath: (method: string, path: string) => Error;
}

export interface HttpListenerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** What a person changes when the port is taken: «the setting «port», or --port». */
  portSetting: { name: string; flag: string };
  /** Serve HTTPS with this certificate and key. Default: HTTP. */
  tls?: TlsPaths | undefined;
  /** A proxy on this machine says who asks. Default false: nobody may say it. */
  behindProxy?: boolean;
  limits: HttpLimits;
  failures: FailureFormat;
  /** Called once, before it listens. Its hooks run after those that belong to every answer. */
  addRoutes: (app: FastifyInstance) => Promise<void>;
  log: Logger;
}

/** Hosts that mean all addresses: one may listen there, but not everywhere connect. */
const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** Milliseconds that clients get to read their last bytes when the server closes. */
const GRACE_MS = 300;

/** A web server within limits, over TLS where it has a certificate. What it serves, and in whose words, is others' business. A resource. */
export class HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #tls: TlsFiles | undefined;
  readonly #connections: Connections;
  #app: FastifyInstance | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#connections = new Connections(options.limits.connections);
    this.#tls = options.tls && new TlsFiles(options.tls, options.log);
  }

  /** `http://127.0.0.1:7070`: where programs of this machine find it. Only while it is open. */
  get url(): string {
    const address = this.#app?.server.address();
    if (!address || typeof address === 'string') throw new Error('The server is not open.');
    const host = ANY_ADDRESS[this.#options.host] ?? this.#options.host;
    return `${this.#tls ? 'https' : 'http'}://${placeText({ ip: host, port: address.port })}`;
  }

  /**
   * Listens. Idempotent.
   * @throws QuarryError PORT_IN_USE, CONFIG_INVALID when the address cannot be listened on or the certificate cannot be used
   */
  open(): Promise<void> {
    this.#opening ??= this.#listen();
    return this.#opening;
  }

  /** Ends every request and connection; Fastify's `preClose` hooks run first. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /**
   * Whoever sent the request may do so. Its connection makes room for nobody if it is known who that is; if not, for others of
   * whom it is not known either, and to whom the same is open.
   */
  letIn({ raw }: FastifyRequest, by: { isKnown: boolean }): void {
    if (by.isKnown) this.#connections.keep(raw.socket);
    else this.#connections.admit(raw.socket);
  }

  async #listen(): Promise<void> {
    const { host, port, addRoutes, log } = this.#options;
    const app = createFastify(this.#options, await this.#tls?.read());
    this.#app = app;
    try {
      app.server.on('connection', (connection) => this.#connections.add(connection));
      app.server.on('request', ({ socket }, response) => response.once('close', this.#connections.asked(socket)));
      addSecurityHeaders(app, { hsts: this.#tls !== undefined && !isLoopback(host) });
      await addRoutes(app);
      await app.listen({ host, port });
    } catch (error) {
      await app.close();
      throw listenError(error, this.#options);
    }
    this.#tls?.watch(app.server as unknown as TlsServer);
    log.info({ url: this.url }, 'server listens');
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(ignoring('whoever opened it was told'));
    this.#tls?.close();
    const app = this.#app;
    if (!app) return;
    const closed = app.close();
    const cutOff = setTimeout(() => this.#connections.destroy(), GRACE_MS);
    await closed;
    clearTimeout(cutOff);
  }
}

/** A server without routes, whose failures are all told in one way. */
function createFastify(
  { limits: { bodyBytes, requestTimeoutMs }, behindProxy, failures }: HttpListenerOptions,
  tls: TlsPair | undefined,
): FastifyInstance {
  const http = {
    // Node looks for late requests this often, by itself every 30 s.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 2,
    shouldUpgradeCallback: isWebSocket,
  };
  const tell = (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    const { status, headers = {}, body } = failures.failure(error);
    reply.code(status).headers(headers).send(body);
  };
  const app = fastify({
    bodyLimit: bodyBytes,
    requestTimeout: requestTimeoutMs,
    ...(tls ? { https: { ...http, ...tls, handshakeTimeout: requestTimeoutMs } } : { http }),
    trustProxy: behindProxy ? 'loopback' : false,
    forceCloseConnections: 'idle',
    frameworkErrors: tell,
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  refuseFullJson(app);
  app.setErrorHandler(tell);
  app.setNotFoundHandler(({ method, url }) => {
    throw failures.unknownPath(method, url.split('?')[0] ?? '');
  });
  return app;
}

/** Bodies with more keys and entries than any request has, or deeper ones, are not even parsed. */
function refuseFullJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // OpenAI's Python client says of a request without a body, too, that it is JSON.
    if (body.length === 0 && request.method === 'DELETE') return done(null, undefined);
    const excess = jsonExcess(body);
    if (excess === 'depth') return done(refused(400, `The body nests deeper than ${MAX_JSON_LEVELS} levels.`));
    if (excess) return done(refused(413, `The body has more than ${MAX_JSON_MARKS} keys and entries.`));
    return parse(request, body.toString(), done);
  });
}

function refused(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

/** Some clients offer HTTP/2 by `Upgrade: h2c` with every request: those are served as if they had not. */
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function listenError(error: unknown, { host, port, portSetting }: HttpListenerOptions): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new QuarryError({
      code: 'PORT_IN_USE',
      message: say('settings.portInUse', { port: String(port), host }),
      hint: say('settings.otherPort', { name: portSetting.name, flag: portSetting.flag }),
      field: portSetting.name,
    });
  }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const message = say('settings.cannotListen', { host, port: String(port), code: String(code) });
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint: say('settings.checkHost') }, { cause: error });
}
