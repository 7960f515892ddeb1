import { Registry } from '@prometheus-io/client';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { Access } from './access.ts';
import { toApiError } from './api-error.ts';
import { addNodeMetrics, addProcessMetrics } from './node-metrics.ts';
import { addOpenAiRoutes, notFound } from './openai-routes.ts';
import { DEFAULT_LIMITS, type ServerLimits, type ServerOptions } from './ports.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RunningRequests } from './running-requests.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 7070;
/** Hosts that mean all addresses: one may listen there, but not everywhere connect. */
const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** Milliseconds that clients get to read their last bytes when the server closes. */
const GRACE_MS = 300;

/** The HTTP side of a node: `/healthz`, `/metrics`, the OpenAI API and what `extend` adds. */
export class HttpServer {
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #host: string;
  readonly #access: Access;
  readonly #registry: Registry;
  readonly #running: RunningRequests;
  readonly #metrics: RequestMetrics;
  #app: FastifyInstance | undefined;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** @throws QuarryError CONFIG_INVALID for a host that others can reach, without a token */
  constructor(options: ServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#host = options.host ?? DEFAULT_HOST;
    this.#access = new Access(this.#host, options.token);
    this.#registry = options.registry ?? new Registry();
    this.#metrics = new RequestMetrics(this.#registry);
    this.#running = new RunningRequests(this.#metrics, options.log);
    addNodeMetrics(this.#registry, options.collect, options.log);
    addProcessMetrics(this.#registry);
  }

  /** `http://127.0.0.1:7070`: where programs of this machine find the server. Only while it is open. */
  get url(): string {
    const address = this.#app?.server.address();
    if (!address || typeof address === 'string') throw new Error('The server is not open.');
    const host = ANY_ADDRESS[this.#host] ?? this.#host;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  /**
   * Listens. Idempotent.
   * @throws QuarryError PORT_IN_USE, CONFIG_INVALID when the address cannot be listened on
   */
  open(): Promise<void> {
    this.#opening ??= this.#listen();
    return this.#opening;
  }

  /** Ends every request and connection, streams with an error event. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #listen(): Promise<void> {
    const app = this.#createApp();
    this.#app = app;
    await this.#options.extend?.(app);
    const port = this.#options.port ?? DEFAULT_PORT;
    try {
      await app.listen({ host: this.#host, port });
    } catch (error) {
      await app.close();
      throw listenError(error, this.#host, port);
    }
    app.server.maxConnections = this.#limits.connections;
    this.#options.log.info({ url: this.url }, 'server listens');
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const app = this.#app;
    if (!app) return;
    const closed = app.close();
    this.#running.abortAll();
    const cutOff = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
    await closed;
    clearTimeout(cutOff);
  }

  #createApp(): FastifyInstance {
    const { bodyBytes, requestTimeoutMs } = this.#limits;
    const app = fastify({
      bodyLimit: bodyBytes,
      requestTimeout: requestTimeoutMs,
      // Node looks for late requests this often, by itself every 30 s.
      http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: requestTimeoutMs / 2 },
      forceCloseConnections: 'idle',
      frameworkErrors: (error, _request, reply) => sendError(error, reply),
    });
    app.removeContentTypeParser('text/plain');
    app.addHook('onRequest', async (request) => this.#admit(request));
    app.setErrorHandler((error, _request, reply) => sendError(error, reply));
    app.setNotFoundHandler(notFound);
    app.get('/healthz', (request, reply) => this.#health(request, reply));
    app.get('/metrics', async (_request, reply) => {
      reply.type(this.#registry.contentType);
      return this.#registry.metrics();
    });
    addOpenAiRoutes(app, {
      models: this.#options.models,
      route: this.#options.route,
      limits: this.#limits,
      metrics: this.#metrics,
      running: this.#running,
    });
    return app;
  }

  #admit(request: FastifyRequest): void {
    this.#access.checkSource(request);
    if (request.routeOptions.url !== '/healthz') this.#access.checkToken(request);
  }

  #health(request: FastifyRequest, reply: FastifyReply): object {
    const { ok, ...details } = this.#options.health();
    reply.code(ok ? 200 : 503);
    return { status: ok ? 'ok' : 'unavailable', ...(this.#access.isAuthorised(request) && details) };
  }
}

function sendError(error: unknown, reply: FastifyReply): void {
  const failure = toApiError(error);
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.code(failure.status).send(failure.toJSON());
}

function listenError(error: unknown, host: string, port: number): QuarryError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} on ${host} is in use.`;
    return new QuarryError({ code: 'PORT_IN_USE', message, hint: 'Choose another one with --port.', field: 'port' });
  }
  const message = `Cannot listen on ${host}:${port} (${code ?? error}).`;
  return new QuarryError({ code: 'CONFIG_INVALID', message, hint: 'Check the host and the port.' }, { cause: error });
}
