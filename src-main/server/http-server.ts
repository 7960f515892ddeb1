import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import fastifyCookie from '@fastify/cookie';
import fastifyWebsocket from '@fastify/websocket';
import { Registry } from '@prometheus-io/client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { TlsFiles } from '../http/tls-files.ts';
import { Access, isLoopback } from './access.ts';
import { ApiError } from './api-error.ts';
import { addContract, RPC_SOCKET_PATH } from './contract-routes.ts';
import { createFastify } from './create-fastify.ts';
import { addNodeMetrics, addProcessMetrics } from './node-metrics.ts';
import { addOpenAiRoutes } from './openai/routes.ts';
import { RunningRequests } from './openai/running-requests.ts';
import { addPages } from './pages.ts';
import { DEFAULT_LIMITS, type ServerLimits, type ServerOptions } from './ports.ts';
import { parsePublicUrl } from './public-url.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RpcSockets } from './rpc-sockets.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { SessionCookie } from './session-cookie.ts';
import { addSessionRoutes } from './session-routes.ts';
import { Sessions } from './sessions.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 7070;
/** Hosts that mean all addresses: one may listen there, but not everywhere connect. */
const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** Milliseconds that clients get to read their last bytes when the server closes. */
const GRACE_MS = 300;

/** The HTTP side of a node: `/healthz`, `/metrics`, the OpenAI API, the screens with their contract, and what `extend` adds. */
export class HttpServer {
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #host: string;
  readonly #publicUrl: URL | undefined;
  readonly #access: Access;
  readonly #registry: Registry;
  readonly #running: RunningRequests;
  readonly #metrics: RequestMetrics;
  readonly #tls: TlsFiles | undefined;
  readonly #cookie: SessionCookie;
  readonly #sessions = new Sessions();
  readonly #sockets: RpcSockets;
  readonly #connections = new Set<Socket>();
  #app: FastifyInstance | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** @throws QuarryError CONFIG_INVALID for a host that others can reach, without a token, and for a publicUrl with a path */
  constructor(options: ServerOptions) {
    const { host = DEFAULT_HOST, token, localToken, publicUrl, tls, log } = options;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#host = host;
    this.#publicUrl = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
    this.#access = new Access({ host, token, localToken, publicUrl: this.#publicUrl });
    this.#tls = tls && new TlsFiles(tls, log);
    this.#cookie = new SessionCookie(tls !== undefined || this.#publicUrl?.protocol === 'https:');
    this.#sockets = new RpcSockets(this.#limits, log);
    this.#registry = options.registry ?? new Registry();
    this.#metrics = new RequestMetrics(this.#registry);
    this.#running = new RunningRequests(this.#metrics, log);
    addNodeMetrics(this.#registry, options.collect, log);
    addProcessMetrics(this.#registry);
  }

  /** `http://127.0.0.1:7070`: where programs of this machine find the server. Only while it is open. */
  get url(): string {
    const address = this.#app?.server.address();
    if (!address || typeof address === 'string') throw new Error('The server is not open.');
    const host = ANY_ADDRESS[this.#host] ?? this.#host;
    return `${this.#tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  /**
   * Listens. Idempotent.
   * @throws QuarryError PORT_IN_USE, CONFIG_INVALID when the address cannot be listened on or the certificate cannot be used
   */
  open(): Promise<void> {
    this.#opening ??= this.#listen();
    return this.#opening;
  }

  /** Ends every request and connection: streams with an error event, WebSockets with 1001. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #listen(): Promise<void> {
    const app = createFastify(this.#limits, {
      behindProxy: this.#publicUrl !== undefined,
      tls: await this.#tls?.read(),
    });
    this.#app = app;
    const port = this.#options.port ?? DEFAULT_PORT;
    try {
      await this.#addRoutes(app);
      await app.listen({ host: this.#host, port });
    } catch (error) {
      await app.close();
      throw listenError(error, this.#host, port);
    }
    app.server.maxConnections = this.#limits.connections;
    this.#tls?.watch(app.server as unknown as TlsServer);
    this.#options.log.info({ url: this.url }, 'server listens');
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    this.#tls?.close();
    const app = this.#app;
    if (!app) return;
    const closed = app.close();
    this.#running.abortAll();
    const cutOff = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
    }, GRACE_MS);
    await closed;
    clearTimeout(cutOff);
  }

  async #addRoutes(app: FastifyInstance): Promise<void> {
    app.server.on('connection', (connection) => this.#track(connection));
    await app.register(fastifyCookie);
    await this.#addWebSockets(app);
    const hsts = this.#tls !== undefined && !isLoopback(this.#host);
    addSecurityHeaders(app, { hsts });
    app.addHook('onRequest', async (request) => this.#admit(request));
    app.get('/healthz', { config: { access: 'public' } }, (request, reply) => this.#health(request, reply));
    app.get('/metrics', async (_request, reply) => {
      reply.type(this.#registry.contentType);
      return this.#registry.metrics();
    });
    this.#addOpenAi(app);
    await this.#addScreens(app);
    await this.#options.extend?.(app);
  }

  #addOpenAi(app: FastifyInstance): void {
    const { models, route } = this.#options;
    addOpenAiRoutes(app, { models, route, limits: this.#limits, metrics: this.#metrics, running: this.#running });
  }

  async #addScreens(app: FastifyInstance): Promise<void> {
    const [access, sessions, cookie, sockets] = [this.#access, this.#sessions, this.#cookie, this.#sockets];
    await addPages(app, this.#options.pages);
    addSessionRoutes(app, { access, sessions, cookie, onEnd: () => sockets.recheck() });
    const { contract: router } = this.#options;
    if (router) addContract(app, { router, access, sessions, cookie, sockets });
  }

  async #addWebSockets(app: FastifyInstance): Promise<void> {
    await app.register(fastifyWebsocket, {
      options: { maxPayload: this.#limits.socketMessageBytes, perMessageDeflate: false },
      // The socket closes itself: the log alone has to know.
      errorHandler: (err) => this.#options.log.debug({ err }, 'a WebSocket failed'),
      preClose: (done) => void this.#sockets.close().then(() => done()),
    });
  }

  #admit(request: FastifyRequest): void {
    const { access = 'token' } = request.routeOptions.config ?? {};
    this.#access.checkSource(request);
    if (access === 'token') this.#access.checkToken(request);
    if (access === 'socket') this.#access.checkSocket(request, this.#sessions.isLive(this.#cookie.read(request)));
    if (request.ws && access !== 'socket') throw new ApiError(400, { message: `The WebSocket is ${RPC_SOCKET_PATH}.` });
  }

  #health(request: FastifyRequest, reply: FastifyReply): object {
    const { ok, ...details } = this.#options.health();
    reply.code(ok ? 200 : 503);
    return { status: ok ? 'ok' : 'unavailable', ...(this.#access.isAuthorised(request) && details) };
  }

  #track(connection: Socket): void {
    this.#connections.add(connection);
    connection.once('close', () => this.#connections.delete(connection));
  }
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} on ${host} is in use.`;
    return new QuarryError({
      code: 'PORT_IN_USE',
      message,
      hint: 'Choose another one: the setting «port», or --port.',
      field: 'port',
    });
  }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const message = `Cannot listen on ${host}:${port} (${code}).`;
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint: 'Check the host and the port.' }, { cause: error });
}
