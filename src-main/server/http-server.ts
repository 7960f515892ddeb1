import fastifyCookie from '@fastify/cookie';
import fastifyWebsocket from '@fastify/websocket';
import { Registry } from '@prometheus-io/client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLIP_PATH, POSTER_NAME } from '../../src-preload/contract/data-limits.ts';
import { FOCUS_VIDEO_PATH, STRIP_NAME } from '../../src-preload/contract/focus-limits.ts';
import { LEARNING_EXPORT_PATH } from '../../src-preload/contract/limits.ts';
import { parsePublicUrl } from '../http/addresses.ts';
import { HttpListener } from '../http/http-listener.ts';
import { Access, type RouteAccess } from './access/access.ts';
import { EntryCodes } from './access/entry-codes.ts';
import { SessionCookie } from './access/session-cookie.ts';
import { addSessionRoutes, ENTRY_PATH } from './access/session-routes.ts';
import { Sessions } from './access/sessions.ts';
import { addChunkRoute } from './chunk-route.ts';
import { ApiError, OPENAI_FAILURES } from './failures/api-error.ts';
import { addFigures, addProcessMetrics } from './figures.ts';
import { addFileRoute } from './file-route.ts';
import { addLearningRoutes } from './learning/routes.ts';
import { RequestMetrics } from './openai/request-metrics.ts';
import { addResponseRoutes } from './openai/responses/routes.ts';
import { addOpenAiRoutes } from './openai/routes.ts';
import { RunningRequests } from './openai/running-requests.ts';
import { addProbeRoutes, modelHealth } from './probing/routes.ts';
import { addContract, RPC_SOCKET_PATH } from './rpc/contract-routes.ts';
import { RpcSockets } from './rpc/rpc-sockets.ts';
import { addPages } from './screens/pages.ts';
import { DEFAULT_LIMITS, type ServerLimits, type ServerOptions } from './server-options.ts';
import { addTranscriptionRoute } from './transcription/routes.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 7070;

/** The HTTP side of a node: `/healthz`, `/metrics`, the OpenAI API, the screens with their contract, and what `extend` adds. */
export class HttpServer {
  readonly #options: ServerOptions;
  readonly #limits: ServerLimits;
  readonly #access: Access;
  readonly #registry: Registry;
  readonly #running: RunningRequests;
  readonly #metrics: RequestMetrics;
  readonly #publicUrl: URL | undefined;
  readonly #cookie: SessionCookie;
  readonly #sessions: Sessions;
  readonly #codes = new EntryCodes();
  readonly #sockets: RpcSockets;
  readonly #listener: HttpListener;

  /** @throws QuarryError CONFIG_INVALID for a host that others can reach, without a token, and for a publicUrl with a path */
  constructor(options: ServerOptions) {
    const {
      host = DEFAULT_HOST,
      port = DEFAULT_PORT,
      token,
      metricsToken,
      localToken,
      localApiOpen,
      tls,
      log,
    } = options;
    const publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl);
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#publicUrl = publicUrl;
    this.#access = new Access({ host, token, metricsToken, localToken, localApiOpen, publicUrl });
    this.#sessions = new Sessions({ store: options.sessionStore, realm: this.#access.realm, log });
    this.#cookie = new SessionCookie(tls !== undefined || publicUrl?.protocol === 'https:');
    this.#sockets = new RpcSockets(this.#limits, log);
    this.#registry = options.registry ?? new Registry();
    this.#metrics = new RequestMetrics(this.#registry);
    this.#running = new RunningRequests(this.#metrics, log);
    this.#listener = new HttpListener({
      host,
      port,
      portSetting: { name: 'port', flag: '--port' },
      tls,
      behindProxy: publicUrl !== undefined,
      limits: this.#limits,
      failures: OPENAI_FAILURES,
      addRoutes: (app) => this.#addRoutes(app),
      log,
    });
    addFigures(this.#registry, options.figures ?? [], log);
    addProcessMetrics(this.#registry);
  }

  /** `http://127.0.0.1:7070`: where programs of this machine find the server. Only while it is open. */
  get url(): string {
    return this.#listener.url;
  }

  /**
   * Makes a link that lets a browser in, once and soon.
   * @returns its address, and when it is over in Unix milliseconds
   */
  entry(): { url: string; expiresAt: number } {
    const { code, expiresAt } = this.#codes.make();
    return { url: `${this.#publicUrl?.origin ?? this.url}${ENTRY_PATH}?code=${code}`, expiresAt };
  }

  /**
   * Listens. Idempotent.
   * @throws QuarryError PORT_IN_USE, CONFIG_INVALID when the address cannot be listened on or the certificate cannot be used
   */
  open(): Promise<void> {
    return this.#listener.open();
  }

  /** Takes no more requests of the OpenAI API, and tells load balancers so by `/healthz`; resolves when those that run have ended. */
  drain(): Promise<void> {
    return this.#running.drain();
  }

  /** Ends every request and connection: streams with an error event, WebSockets with 1001. Idempotent. */
  async close(): Promise<void> {
    await this.#listener.close();
    await this.#sessions.close();
  }

  async #addRoutes(app: FastifyInstance): Promise<void> {
    await this.#sessions.open();
    app.addHook('preClose', async () => this.#running.abortAll());
    await app.register(fastifyCookie);
    await this.#addWebSockets(app);
    app.addHook('onRequest', async (request) => this.#admit(request));
    app.get('/healthz', { config: { access: 'public' } }, (request, reply) => this.#health(request, reply));
    app.get('/metrics', { config: { access: 'metrics' } }, async (_request, reply) => {
      reply.type(this.#registry.contentType);
      return this.#registry.metrics();
    });
    await this.#addOpenAi(app);
    await this.#addScreens(app);
    if (this.#options.takeChunk) await addChunkRoute(app, this.#options.takeChunk);
    const { giveVideo, giveExport, giveClip } = this.#options;
    const video = `${FOCUS_VIDEO_PATH}/:ticket`;
    if (giveVideo) addFileRoute(app, [video, `${video}/${STRIP_NAME}`], giveVideo);
    if (giveExport) addFileRoute(app, [`${LEARNING_EXPORT_PATH}/:ticket`], giveExport);
    const clip = `${CLIP_PATH}/:ticket`;
    if (giveClip) addFileRoute(app, [clip, `${clip}/${POSTER_NAME}`], giveClip);
    await this.#options.extend?.(app);
  }

  async #addOpenAi(app: FastifyInstance): Promise<void> {
    const { models, route, learning: door, probing, transcribing } = this.#options;
    await app.register(async (scope) => {
      scope.addHook('onRoute', (added) => {
        added.config = { access: 'api', ...added.config };
      });
      const running = this.#running;
      const isKnown = (request: FastifyRequest) => this.#access.hasBearer(request);
      const serving = { route, isKnown, limits: this.#limits, metrics: this.#metrics, running };
      addOpenAiRoutes(scope, { models, ...serving });
      addResponseRoutes(scope, serving);
      const moreHealth = probing && (() => modelHealth(probing));
      if (door) addLearningRoutes(scope, { route, running, door, moreHealth });
      if (probing) addProbeRoutes(scope, { running, door: probing });
      if (transcribing) await addTranscriptionRoute(scope, { running, door: transcribing });
    });
  }

  async #addScreens(app: FastifyInstance): Promise<void> {
    const [access, sessions, cookie, sockets] = [this.#access, this.#sessions, this.#cookie, this.#sockets];
    await addPages(app, this.#options.pages);
    addSessionRoutes(app, { access, codes: this.#codes, sessions, cookie, onEnd: () => sockets.recheck() });
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
    // What is nowhere says so to whoever may use the API.
    const { access = request.is404 ? 'api' : 'token' } = request.routeOptions.config ?? {};
    this.#access.checkSource(request, access);
    if (access === 'api') this.#access.checkApi(request);
    if (access === 'metrics') this.#access.checkMetrics(request);
    if (access === 'token') this.#access.checkToken(request);
    const loggedIn = this.#sessions.isLive(this.#cookie.read(request));
    if (access === 'socket') this.#access.checkSocket(request, loggedIn);
    const isProgram = access === 'api' || access === 'metrics';
    const isKnown = loggedIn || access === 'socket' || this.#hasToken(request, access);
    if (isKnown || isProgram) this.#listener.letIn(request, { isKnown });
    if (request.ws && access !== 'socket') throw new ApiError(400, { message: `The WebSocket is ${RPC_SOCKET_PATH}.` });
  }

  #hasToken(request: FastifyRequest, access: RouteAccess): boolean {
    if (access === 'api') return this.#access.hasBearer(request);
    return access === 'token' || (access === 'metrics' && this.#access.hasMetricsBearer(request));
  }

  #health(request: FastifyRequest, reply: FastifyReply): object {
    const { ok: isWell, ...details } = this.#options.health();
    const ok = isWell && !this.#running.draining;
    reply.code(ok ? 200 : 503);
    return { status: ok ? 'ok' : 'unavailable', ...(this.#access.mayUseApi(request) && details) };
  }
}
