import { Agent, type IncomingMessage, request } from 'node:http';
import { isIP } from 'node:net';
import { type Place, placeText } from '../../../src-preload/contract/place.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { isInside } from '../../base/network-prefix.ts';
import { parseRetryAfter } from '../../base/retry-after.ts';
import type { Signer } from '../signer.ts';
import { type RequestHead, readStatus, requestHeaders, signedText } from '../synapse/headers.ts';
import { DEFAULT_TIMEOUT_S, type SynapseType } from '../synapse/synapse.ts';
import { failureStatus, type Status, UnreadableAnswer } from './failure.ts';
import { Lanes } from './lanes.ts';
import { NonceClock } from './nonce-clock.ts';

/** Where an axon is, as the chain tells it. */
export interface AxonPlace extends Place {
  /** ss58: whom the request is signed for. */
  hotkey: string;
}

export interface DendriteOptions {
  /** The hotkey that asks. */
  signer: Signer;
  /** This computer's own address as others see it, for the axons' records. Default `0.0.0.0`. */
  ip?: string;
  /** Whether axons at addresses of this computer and its network are asked: whoever registers one chooses the address. Default false. */
  allowInside?: boolean;
  /** Most bytes of an answer. Default 4 MiB. */
  answerBytes?: number;
  /** Most connections at a time, to all axons together. Default 256. */
  connections?: number;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

export interface CallOptions {
  /** Seconds for everything, from the connection to the last byte. Default 12. */
  timeout?: number;
  signal?: AbortSignal;
  /** Told when a connection stands on which the question goes out: what failed before has told the axon nothing. */
  onSent?: () => void;
  /** Of the answer, where it may be larger than others: bytes, commas and colons in it, and objects and arrays. Default: as of all. */
  most?: { bytes: number; marks: number; opened?: number } | undefined;
  /** Told when the first byte of the body is there, whatever it says. */
  onFirstByte?: (() => void) | undefined;
}

/** What became of a question to an axon. */
export interface AxonAnswer<Fields> extends Status {
  axon: AxonPlace;
  /** The synapse as it was answered; undefined without an answer, and of those that stream. */
  fields: Fields | undefined;
  /** Seconds from the question to the end of the answer. */
  processTime: number;
  /** For how long the axon wants to be left alone, milliseconds, an hour at most; undefined where it does not say. */
  retryAfterMs: number | undefined;
}

const MOST_RETRY_MS = 3_600_000;

/** Asks axons, as the SDK's class of this name does. Failures are answers too: nothing is thrown but for what is asked wrongly. A resource. */
export class Dendrite {
  readonly #options: DendriteOptions;
  readonly #lanes = new Lanes();
  readonly #nonces: NonceClock;
  readonly #agent: Agent;

  constructor(options: DendriteOptions) {
    this.#options = options;
    this.#nonces = new NonceClock(options.now);
    this.#agent = new Agent({ keepAlive: true, maxTotalSockets: options.connections ?? 256, maxFreeSockets: 16 });
  }

  /** Asks one axon. @throws the reason of a signal that was aborted */
  async call<Fields>(
    axon: AxonPlace,
    type: SynapseType<Fields>,
    fields: Fields,
    options: CallOptions = {},
  ): Promise<AxonAnswer<Fields>> {
    const asked = this.#ask(axon, type, fields, options);
    try {
      const response = await asked.response();
      const body = await this.#json(response, options);
      const read = response.statusCode === 200 ? fieldsOf(type, body) : undefined;
      return asked.done(statusOf(response, body), read);
    } catch (error) {
      return asked.failed(error);
    }
  }

  /** Asks many at once. @returns their answers, in their order */
  callAll<Fields>(
    axons: readonly AxonPlace[],
    type: SynapseType<Fields>,
    fields: Fields,
    options: CallOptions = {},
  ): Promise<AxonAnswer<Fields>[]> {
    return Promise.all(axons.map((axon) => this.call(axon, type, fields, options)));
  }

  /** Asks for a stream. @returns, after the last chunk, how it went; without a chunk where it was refused */
  async *stream<Fields>(
    axon: AxonPlace,
    type: SynapseType<Fields>,
    fields: Fields,
    options: CallOptions = {},
  ): AsyncGenerator<Uint8Array, AxonAnswer<Fields>> {
    const asked = this.#ask(axon, type, fields, options);
    try {
      const response = await asked.response();
      // A refusal comes as JSON: its bytes are no chunks.
      if (response.statusCode !== 200) return asked.done(statusOf(response, await this.#json(response, {})), undefined);
      yield* this.#bounded(response, options);
      return asked.done({ status: 200, message: 'Success', ...readStatus(response.headers) }, undefined);
    } catch (error) {
      return asked.failed(error);
    } finally {
      asked.end();
    }
  }

  /** Ends what is being asked. Idempotent. */
  close(): void {
    this.#agent.destroy();
  }

  #ask<Fields>(axon: AxonPlace, type: SynapseType<Fields>, fields: Fields, options: CallOptions) {
    const { timeout = DEFAULT_TIMEOUT_S, signal: outer, onSent } = options;
    const startedAt = performance.now();
    const late = AbortSignal.timeout(timeout * 1_000);
    const own = new AbortController();
    const signal = AbortSignal.any([late, own.signal, ...(outer ? [outer] : [])]);
    let retryAfterMs: number | undefined;
    const done = (status: Status, read: Fields | undefined): AxonAnswer<Fields> => {
      return { ...status, axon, fields: read, processTime: (performance.now() - startedAt) / 1_000, retryAfterMs };
    };
    return {
      done,
      end: () => own.abort(),
      response: async () => {
        const response = await this.#send(axon, type, fields, { timeout, signal, onSent });
        // Of the headers, so that it is heard also where a refusal is no JSON.
        if (response.statusCode !== 200) retryAfterMs = this.#retryAfterMs(response);
        return response;
      },
      failed(error: unknown): AxonAnswer<Fields> {
        outer?.throwIfAborted();
        const why = late.aborted ? late.reason : error;
        return done(failureStatus(why, { ...axon, name: type.name }, timeout), undefined);
      },
    };
  }

  async #send<Fields>(
    axon: AxonPlace,
    type: SynapseType<Fields>,
    fields: Fields,
    { timeout, signal, onSent = () => {} }: { timeout: number; signal: AbortSignal; onSent: CallOptions['onSent'] },
  ): Promise<IncomingMessage> {
    if (isIP(axon.ip) === 0 || (!this.#options.allowInside && isInside(axon.ip))) {
      throw Object.assign(new Error(`${axon.ip} is no address of a computer elsewhere`), { code: 'ENOTFOUND' });
    }
    const lane = this.#lanes.take(`${axon.hotkey} ${placeText(axon)}`);
    try {
      return await this.#post(axon, type, fields, {
        head: await this.#head(axon, type.hash(fields), timeout, lane.id),
        signal,
        onSent,
      });
    } finally {
      lane.free();
    }
  }

  async #post<Fields>(
    axon: AxonPlace,
    type: SynapseType<Fields>,
    fields: Fields,
    { head, signal, onSent }: { head: RequestHead; signal: AbortSignal; onSent: () => void },
  ): Promise<IncomingMessage> {
    const { timeout } = head;
    const { ip = '0.0.0.0' } = this.#options;
    const dendrite = { ip, hotkey: head.hotkey, uuid: head.uuid };
    const body = JSON.stringify({ name: type.name, timeout, dendrite, axon, computed_body_hash: '', ...fields });
    const bodyBytes = Buffer.byteLength(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(bodyBytes),
      ...requestHeaders(type, head, { axon, ip, bodyBytes }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const target = { host: axon.ip, port: axon.port, path: `/${type.name}`, method: 'POST' };
    request({ ...target, agent: this.#agent, headers, signal }, resolve)
      .on('error', reject)
      .on('socket', (socket) => (socket.connecting ? socket.once('connect', onSent) : onSent()))
      .end(body);
    return await promise;
  }

  async #head(axon: AxonPlace, bodyHash: string, timeout: number, uuid: string): Promise<RequestHead> {
    const { signer } = this.#options;
    const head = { timeout, hotkey: signer.address, uuid, nonce: this.#nonces.next(), bodyHash };
    return { ...head, signature: await signer.sign(Buffer.from(signedText(head, axon.hotkey))) };
  }

  #retryAfterMs({ headers }: IncomingMessage): number | undefined {
    return parseRetryAfter(headers['retry-after'], (this.#options.now ?? Date.now)(), MOST_RETRY_MS);
  }

  async #json(response: IncomingMessage, options: Pick<CallOptions, 'most' | 'onFirstByte'>): Promise<unknown> {
    if (!/^application\/json\b/i.test(response.headers['content-type'] ?? '')) {
      response.destroy();
      throw new UnreadableAnswer('the answer is no JSON');
    }
    const body = Buffer.concat(await Array.fromAsync(this.#bounded(response, options)));
    if (jsonExcess(body, undefined, undefined, options.most?.marks, options.most?.opened))
      throw new UnreadableAnswer('the answer has too many parts');
    try {
      return JSON.parse(body.toString());
    } catch (error) {
      throw new UnreadableAnswer((error as Error).message);
    }
  }

  async *#bounded(
    response: IncomingMessage,
    { most: wanted, onFirstByte }: Pick<CallOptions, 'most' | 'onFirstByte'>,
  ): AsyncGenerator<Uint8Array> {
    const most = wanted?.bytes ?? this.#options.answerBytes ?? 4 << 20;
    let left = most;
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      if (left === most) onFirstByte?.();
      left -= chunk.length;
      if (left < 0) throw new UnreadableAnswer('the answer is too long');
      yield chunk;
    }
  }
}

function fieldsOf<Fields>(type: SynapseType<Fields>, body: unknown): Fields {
  const read = type.fields.safeParse(body);
  if (read.success) return read.data;
  const { path = [], message } = read.error.issues[0] ?? {};
  throw new UnreadableAnswer(`${path.map(String).join('.')}: ${message}`);
}

/** Of a 200 the body says how it went, of anything else the status itself; the headers have the last word. */
function statusOf(response: IncomingMessage, body: unknown): Status {
  const { statusCode = 500, headers } = response;
  const { axon, message } = (body ?? {}) as { axon?: unknown; message?: unknown };
  const said = statusCode === 200 ? terminalStatus(axon) : { status: statusCode, message: textOf(message) };
  return { ...said, ...readStatus(headers) };
}

function terminalStatus(axon: unknown): Status {
  const { status_code: status, status_message: message } = (axon ?? {}) as Record<string, unknown>;
  return { status: typeof status === 'number' ? status : 0, message: textOf(message) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 500) : '';
}
