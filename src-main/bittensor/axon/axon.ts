import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isInside } from '../../base/network-prefix.ts';
import { DEFAULT_HTTP_LIMITS, type Failure, type HttpLimits, HttpListener } from '../../http/http-listener.ts';
import { type RequestHead, responseHeaders } from '../synapse/headers.ts';
import { PING } from '../synapse/synapse.ts';
import { answer, InvalidBody, refusalOf } from './answering.ts';
import { type Caller, type CallerRules, DEFAULT_GATE_LIMITS, Gate, type GateLimits } from './gate.ts';
import { type NonceMarkStore, NonceTable } from './nonces.ts';
import { Refusal } from './refusal.ts';
import { type ServedSynapse, serve } from './served-synapse.ts';
import { SignatureCheck } from './signature.ts';

export interface AxonLimits extends HttpLimits, GateLimits {}

/** As {@link DEFAULT_HTTP_LIMITS}, with bodies of at most 1 MiB that are here within 15 s. */
export const DEFAULT_AXON_LIMITS: AxonLimits = {
  ...DEFAULT_HTTP_LIMITS,
  bodyBytes: 1 << 20,
  requestTimeoutMs: 15_000,
  ...DEFAULT_GATE_LIMITS,
};

/** The SDK's own port. */
export const DEFAULT_AXON_PORT = 8091;

export interface AxonOptions {
  /** The hotkey (ss58) that requests are signed for. */
  hotkey: string;
  /** Default: all addresses. */
  host?: string;
  /** 0 takes a free one. Default 8091. */
  port?: number;
  /** Where a person sets the port, for the error when it is taken. */
  portSetting: { name: string; flag: string };
  /** What is answered beside the SDK's ping. */
  synapses: readonly ServedSynapse[];
  rules?: CallerRules;
  limits?: Partial<AxonLimits>;
  nonces: NonceMarkStore;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  log: Logger;
}

/** What was asked so far. */
export interface AxonReport {
  answered: number;
  /** By status. */
  refused: ReadonlyMap<number, number>;
  /** Whether somebody was let in whose address is out in the world. */
  isReached: boolean;
}

/** A request that was let in, before its body came. */
interface Admitted {
  served: ServedSynapse;
  head: RequestHead;
  caller: Caller;
  startedAt: number;
}

/** The unread rest of a refused request that is read, so that the refusal reaches who still sends. Beyond it the connection ends. */
const REST_BYTES = 256 << 10;
const STREAM = 'text/event-stream';

/**
 * Opens an axon: whoever signs as the SDK's dendrites do, and keeps the rules, is answered.
 * @throws PORT_IN_USE; CONFIG_INVALID when the address cannot be listened on or the certificate cannot be used
 */
export async function openAxon(options: AxonOptions): Promise<Axon> {
  const { hotkey, nonces: store, now = Date.now, rules = {} } = options;
  const limits = { ...DEFAULT_AXON_LIMITS, ...options.limits };
  const [nonces, signatures] = await Promise.all([NonceTable.open(store, hotkey, now()), SignatureCheck.open()]);
  const axon = new Axon(options, limits, new Gate({ hotkey, rules, limits, nonces, signatures, now }));
  await axon.open();
  return axon;
}

/** A server that speaks the SDK's protocol (Bittensor §1), by HTTP, as the SDK's dendrites do: made by {@link openAxon}. A resource. */
export class Axon {
  readonly #options: AxonOptions;
  readonly #limits: AxonLimits;
  readonly #gate: Gate;
  readonly #listener: HttpListener;
  readonly #synapses: ReadonlyMap<string, ServedSynapse>;
  readonly #admitted = new WeakMap<FastifyRequest, Admitted>();
  readonly #closing = new AbortController();
  readonly #refused = new Map<number, number>();
  #answered = 0;
  #isReached = false;

  constructor(options: AxonOptions, limits: AxonLimits, gate: Gate) {
    const { host = '0.0.0.0', port = DEFAULT_AXON_PORT, portSetting, log } = options;
    this.#options = options;
    this.#limits = limits;
    this.#gate = gate;
    const all = [serve(PING, () => ({})), ...options.synapses];
    this.#synapses = new Map(all.map((served) => [served.type.name, served]));
    this.#listener = new HttpListener({
      ...{ host, port, portSetting, limits, log },
      failures: { failure: (error) => this.#failure(error), unknownPath: (_, path) => this.#unknown(path.slice(1)) },
      addRoutes: async (app) => this.#addRoutes(app),
    });
  }

  /** Where programs of this machine find it. */
  get url(): string {
    return this.#listener.url;
  }

  open(): Promise<void> {
    return this.#listener.open();
  }

  /** Ends what is being answered. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new Refusal(503, 'Service unavailable: the axon closes.'));
    await this.#listener.close();
  }

  report(): AxonReport {
    return { answered: this.#answered, refused: new Map(this.#refused), isReached: this.#isReached };
  }

  #addRoutes(app: FastifyInstance): void {
    const onRequest = (request: FastifyRequest, reply: FastifyReply) => this.#admit(request, reply);
    app.post('/:name', { onRequest }, (request, reply) => this.#answer(request, reply));
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const startedAt = performance.now();
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(length <= REST_BYTES)) reply.header('connection', 'close');
    this.#gate.countAddress(request.ip);
    const { name } = request.params as { name: string };
    const served = this.#synapses.get(name);
    if (!served) throw this.#unknown(name);
    const head = this.#gate.read(request.headers, served.type);
    const caller = await this.#gate.admit(head, request.ip);
    // Keys cost nothing, and a place on a subnet little: only of validators there are few.
    this.#listener.letIn(request, { isKnown: caller.neuron?.permit ?? false });
    this.#isReached ||= !isInside(request.ip);
    reply.removeHeader('connection');
    this.#admitted.set(request, { served, head, caller, startedAt });
  }

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const admitted = this.#admitted.get(request);
    if (!admitted) throw new Error('A request came past the gate.');
    const signal = this.#signal(admitted.head, reply);
    const found = await answer({ ...admitted, body: request.body, signal });
    this.#answered++;
    if ('chunks' in found) {
      return reply
        .headers(this.#headers(admitted, { bodyBytes: 0 }))
        .type(STREAM)
        .send(found.chunks);
    }
    const body = JSON.stringify(this.#document(admitted, found.fields));
    const bodyHash = admitted.served.type.hash(found.fields);
    return reply
      .headers(this.#headers(admitted, { bodyHash, bodyBytes: Buffer.byteLength(body) }))
      .type('application/json')
      .send(body);
  }

  /** The caller's time is over, it has gone, or the axon closes. */
  #signal({ timeout }: RequestHead, { raw }: FastifyReply): AbortSignal {
    const seconds = Math.min(timeout, this.#limits.timeout);
    const controller = new AbortController();
    const late = new Refusal(408, `Response timeout after: ${timeout}s`);
    const timer = setTimeout(() => controller.abort(late), seconds * 1_000);
    raw.once('close', () => {
      clearTimeout(timer);
      controller.abort(new Refusal(499, 'The caller has gone.'));
    });
    return AbortSignal.any([controller.signal, this.#closing.signal]);
  }

  /** The SDK's dump of a synapse. The nonce stands in the headers: JSON in JavaScript has no room for it. */
  #document({ served, head, caller, startedAt }: Admitted, fields: object): object {
    const [name, { hotkey }] = [served.type.name, this.#options];
    const axon = { status_code: 200, status_message: 'Success', process_time: seconds(startedAt), hotkey };
    const dendrite = { ip: caller.address, hotkey: caller.hotkey, uuid: caller.uuid };
    const sizes = { total_size: 0, header_size: 0 };
    return { name, timeout: head.timeout, ...sizes, dendrite, axon, computed_body_hash: '', ...fields };
  }

  #headers(
    { served, head, startedAt }: Admitted,
    { bodyHash = head.bodyHash, bodyBytes }: { bodyHash?: string; bodyBytes: number },
  ) {
    return responseHeaders({
      ...{ name: served.type.name, hotkey: this.#options.hotkey, head, bodyHash, bodyBytes },
      ...{ status: 200, message: 'Success', processTime: seconds(startedAt) },
    });
  }

  #unknown(name: string): Refusal {
    const known = [...this.#synapses.keys()].map((each) => `'${each}'`).join(', ');
    const shown = name.slice(0, 100);
    return new Refusal(404, `Synapse name '${shown}' not found. Available synapses [${known}]`);
  }

  #failure(error: unknown): Failure {
    const refusal = refusalOf(error) ?? fastifyRefusal(error) ?? this.#internal(error);
    const { status, message, retryAfterMs } = refusal;
    this.#refused.set(status, (this.#refused.get(status) ?? 0) + 1);
    if (refusal instanceof InvalidBody) return { status, body: { detail: refusal.detail } };
    const { hotkey } = this.#options;
    const empty = { name: 'Synapse', head: undefined, bodyHash: '', bodyBytes: 0, processTime: 0 };
    const headers = responseHeaders({ ...empty, hotkey, status, message });
    const again: Record<string, number> =
      retryAfterMs === undefined ? {} : { 'retry-after': Math.ceil(retryAfterMs / 1_000) };
    return {
      status,
      headers: { ...headers, ...again, ...(status === 413 && { connection: 'close' }) },
      body: { message },
    };
  }

  /** The caller learns nothing but a number, under which the log has the reason. */
  #internal(error: unknown): Refusal {
    const id = randomUUID();
    this.#options.log.error({ err: error, id }, 'a synapse failed');
    return new Refusal(500, `Internal Server Error #${id}`);
  }
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}

/** What Fastify has against a request: no JSON, too much of it, another kind. */
function fastifyRefusal(error: unknown): Refusal | undefined {
  const { statusCode, message } = error as { statusCode?: number; message: string };
  if (statusCode === undefined || statusCode >= 500) return undefined;
  return statusCode === 400 ? new InvalidBody([], message) : new Refusal(statusCode, message);
}
