import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Caller, Gate } from '../../../../bittensor/signed-requests/gate.ts';
import { readJson, refuseOtherBody } from '../../../../bittensor/signed-requests/request-body.ts';
import { ToldFailures } from '../../../../bittensor/signed-requests/told-failures.ts';
import { DEFAULT_HTTP_LIMITS, HttpListener } from '../../../../http/http-listener.ts';
import type { TlsPaths } from '../../../../http/tls-files.ts';
import { type Access, ROUTES, type Route, type RouteName } from '../routes.ts';
import { COMPETITION_PATH, MAX_BODY_BYTES, MAX_REVEAL_BYTES } from '../wire.ts';
import type { AddressBans } from './address-bans.ts';
import type { Answers } from './answers.ts';
import { CompetitionProblem } from './competition-problem.ts';
import { API, routeSchema } from './openapi.ts';
import type { Roles } from './roles.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of a competition is, where it is one that has a name, and who may ask it. */
    competition?: { name?: RouteName; access: Access };
  }
}

export interface CompetitionServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls: TlsPaths | undefined;
  behindProxy: boolean;
  gate: Gate<RouteName>;
  bans: AddressBans;
  roles: Roles;
  answers: Answers;
  log: Logger;
}

/** Milliseconds for a request to arrive whole: an artefact over a slow line. */
const REQUEST_MS = 60_000;
/** The unread rest of a refused request that is read, so that the refusal reaches who still sends. */
const REST_BYTES = 256 << 10;

/** The door of a competition: whoever has to sign is let in by the headers, before a byte of the body is read. Pages of other origins are told nothing. A resource. */
export class CompetitionServer {
  readonly #options: CompetitionServerOptions;
  readonly #listener: HttpListener;
  readonly #failures: ToldFailures;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();
  #answered = 0;

  constructor(options: CompetitionServerOptions) {
    const { host, port, tls, behindProxy, log } = options;
    this.#options = options;
    this.#failures = new ToldFailures('competition', log);
    this.#listener = new HttpListener({
      ...{ host, port, tls, behindProxy, log },
      portSetting: { name: 'competition.port', flag: 'the variable QUARRY_COMPETITION_PORT' },
      limits: { ...DEFAULT_HTTP_LIMITS, bodyBytes: MAX_REVEAL_BYTES, requestTimeoutMs: REQUEST_MS },
      failures: {
        failure: (error) => this.#failures.of(error),
        unknownPath: () => new CompetitionProblem('NOT_FOUND', 'Nothing is served there.'),
      },
      addRoutes: (app) => this.#addRoutes(app),
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

  async #addRoutes(app: FastifyInstance): Promise<void> {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // What the schemas say is read by zod, after the body was compared with what was signed; here they only describe.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (document) => JSON.stringify(document));
    await app.register(swagger, API);
    app.addHook('onRequest', (request, reply) => this.#admit(request, reply));
    app.addHook('preHandler', async (request) => {
      const caller = this.#callers.get(request);
      if (caller) refuseOtherBody(caller, request.body);
    });
    for (const name of Object.keys(ROUTES) as RouteName[]) this.#addRoute(app, name, ROUTES[name]);
    app.route({
      ...{ method: 'GET', url: `${COMPETITION_PATH}/openapi.json`, exposeHeadRoute: false },
      config: { competition: { access: 'open' } },
      schema: { hide: true },
      handler: async () => app.swagger(),
    });
  }

  #addRoute(app: FastifyInstance, name: RouteName, route: Route): void {
    const [method = '', path = ''] = route.at.split(' ');
    app.route({
      ...{ method, url: `${COMPETITION_PATH}${path}`, exposeHeadRoute: false },
      bodyLimit: name === 'reveal' ? MAX_REVEAL_BYTES : MAX_BODY_BYTES,
      config: { competition: { name, access: route.access } },
      schema: routeSchema(name, route),
      handler: (request, reply) => this.#answer(name, route, request, reply),
    });
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { headers, method, ip } = request;
    const { gate, bans, roles } = this.#options;
    const { name, access = 'key' } = request.routeOptions.config.competition ?? {};
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(length <= REST_BYTES)) reply.header('connection', 'close');
    if (name !== 'health' && name !== 'appeal') bans.refuse(ip);
    if (access === 'open') gate.admitUnsigned(ip);
    else {
      const caller = await gate.admit({ method, url: request.raw.url ?? '', headers }, ip, name);
      await roles.refuse(caller.hotkey, access);
      this.#callers.set(request, caller);
    }
    this.#listener.letIn(request, { isKnown: false });
    reply.removeHeader('connection');
  }

  async #answer(name: RouteName, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { params, query, ip } = request;
    const body = route.body && readJson(route.body, request.body);
    const hotkey = this.#callers.get(request)?.hotkey ?? '';
    const answer = await this.#options.answers[name]({ hotkey, ip, params, query, body });
    this.#answered++;
    reply.header('cache-control', 'no-store').code(route.status ?? 200);
    if (Buffer.isBuffer(answer)) return reply.type('application/octet-stream').send(answer);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  }
}
