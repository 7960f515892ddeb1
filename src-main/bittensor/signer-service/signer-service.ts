import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sentence } from '../../../src-preload/contract/saying.ts';
import { sha256 } from '../../base/sha256.ts';
import { valueFault } from '../../base/value-fault.ts';
import { HttpListener } from '../../http/http-listener.ts';
import type { TlsPaths } from '../../http/tls-files.ts';
import { hexOf } from '../hex.ts';
import type { Signer } from '../signer.ts';
import type { SentWeights, WeightSender } from '../weights/weight-sender.ts';
import type { AuditEntry } from './audit-files.ts';
import type { AuditLog } from './audit-log.ts';
import { SignerDoor } from './signer-door.ts';
import { signerFailures } from './signer-failures.ts';
import { SignerHealth } from './signer-health.ts';
import { setWeightsRequest, signRequest } from './signer-shapes.ts';

const LIMITS = { bodyBytes: 4 << 20, connections: 32, requestTimeoutMs: 15_000 };
/** How long an answer waits for a final block, milliseconds: less than the two minutes for which the original's clients wait. */
const WAIT_MS = 100_000;
/**
 * A chain signs a call of so many bytes as it is, and of a longer one the hash, which has 32. So nothing longer than this, signed as it is, can be the
 * signature of a call.
 */
export const MOST_CALL_BYTES = 256;

export interface SignerServiceOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  tls?: TlsPaths | undefined;
  /** What callers bring. */
  token: string;
  /** The hotkey that signs, open. */
  key: Signer;
  /** Looks whether it can sign now. @throws NOT_RUNNING within seconds where it cannot; what that says is told to everybody. Default: it can */
  check?: () => Promise<void>;
  /** Sets weights in its name. */
  sender: WeightSender;
  /** Subnets for which it may. */
  netuids: ReadonlySet<number>;
  /** Whether a text is one of those that the hotkey of an address may sign. */
  maySign: (text: string, address: string) => boolean;
  /** Open; the service does not close it. */
  audit: AuditLog;
  log: Logger;
  /** Default {@link WAIT_MS} */
  waitMs?: number;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
}

/**
 * Signs for a validator that has no key of its own, and sets its weights: by HTTP, with the names of Affine's signer, for who brings the token. Unlike
 * that one it signs no text but results, sets weights for subnets that were named at its start, trims nothing, and writes down what it was asked
 * before it does it. A resource.
 */
export class SignerService {
  readonly #options: SignerServiceOptions;
  readonly #door: SignerDoor;
  readonly #health: SignerHealth;
  readonly #listener: HttpListener;
  readonly #closing = new AbortController();
  #isSetting = false;

  constructor(options: SignerServiceOptions) {
    const { host, port, tls, token, log, now = Date.now } = options;
    this.#options = options;
    this.#door = new SignerDoor({
      ...{ token, now },
      turned: ({ ip, method, url }, reason) =>
        this.#tell({ event: 'refused', from: ip, path: `${method} ${url.slice(0, 100)}`, error: reason }),
    });
    const { audit, check = async () => {} } = options;
    this.#health = new SignerHealth({ audit, check, log, now });
    this.#listener = new HttpListener({
      ...{ host, port, tls, log, limits: LIMITS },
      portSetting: { name: 'listen', flag: '--listen' },
      failures: signerFailures((err) => log.error({ err }, 'the signer failed')),
      addRoutes: async (app) => this.#addRoutes(app),
    });
  }

  get url(): string {
    return this.#listener.url;
  }

  /** @throws PORT_IN_USE; CONFIG_INVALID */
  open(): Promise<void> {
    return this.#listener.open();
  }

  /** Answers who waits for a block that it is on its way, and ends. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new QuarryError({ code: 'CANCELLED', message: 'The signer ends.' }));
    await this.#listener.close();
  }

  #addRoutes(app: FastifyInstance): void {
    const onRequest = async (request: FastifyRequest) => {
      await this.#door.check(request);
      this.#listener.letIn(request, { isKnown: true });
    };
    app.get('/healthz', async (_, reply) => {
      const error = await this.#health.fault();
      reply.code(error ? 503 : 200);
      return error ? { ok: false, error } : { ok: true };
    });
    app.get('/pubkey', { onRequest }, () => ({ hotkey: this.#options.key.address }));
    app.post('/sign', { onRequest }, (request) => this.#sign(request));
    app.post('/set_weights', { onRequest }, (request) => this.#setWeights(request));
  }

  #tell(entry: AuditEntry): Promise<void> {
    return this.#options.audit.append(entry);
  }

  async #sign({ ip: from, body }: FastifyRequest): Promise<object> {
    const about = { event: 'sign', request: randomUUID(), from } as const;
    const { payloads } = await this.#read(signRequest, body, about);
    const { key } = this.#options;
    const bytes = payloads.map((payload) => Buffer.from(payload, 'utf8'));
    const hashes = { payloads: bytes.map((one) => sha256(one).toString('hex')) };
    const wrong = payloads.findIndex((payload, at) => !this.#maySign(payload, bytes[at]?.length ?? 0));
    if (wrong >= 0) {
      const error = `payloads.${wrong} is no result of this hotkey: nothing else is signed.`;
      await this.#tell({ ...about, outcome: 'refused', ...hashes, error });
      throw new QuarryError({ code: 'BAD_REQUEST', message: error, field: `payloads.${wrong}` });
    }
    await this.#tell({ ...about, outcome: 'asked', ...hashes });
    const signatures = await this.#told(about, async () => {
      const signed = await Promise.all(bytes.map((one) => key.sign(one)));
      return { result: signed.map((one) => hexOf(one).slice(2)), outcome: 'done' };
    });
    return { success: true, signatures, hotkey: key.address };
  }

  #maySign(payload: string, bytes: number): boolean {
    const { maySign, key } = this.#options;
    return bytes > MOST_CALL_BYTES && payload.isWellFormed() && maySign(payload, key.address);
  }

  async #setWeights({ ip: from, body }: FastifyRequest): Promise<object> {
    const about = { event: 'set_weights', request: randomUUID(), from } as const;
    const asked = await this.#read(setWeightsRequest, body, about);
    const { netuid, uids, weights, wait_for_inclusion: wait, version_key: version } = asked;
    if (!this.#options.netuids.has(netuid)) {
      const error = `This signer sets no weights on subnet ${netuid}: it was not named at its start.`;
      await this.#tell({ ...about, outcome: 'refused', netuid, error });
      throw new QuarryError({ code: 'BAD_REQUEST', message: error, field: 'netuid' });
    }
    if (this.#isSetting) {
      const error = 'Other weights are being set.';
      await this.#tell({ ...about, outcome: 'refused', netuid, error });
      throw new QuarryError({ code: 'CHAIN_REFUSED', message: error, retryable: true });
    }
    this.#isSetting = true;
    try {
      await this.#tell({ ...about, outcome: 'asked', netuid, uids, weights, ...(version && { version }) });
      const sent = await this.#told(about, async () => {
        const versionKey = version === undefined ? undefined : BigInt(version);
        const result = await this.#send({ netuid, uids, weights, versionKey }, wait);
        const { pending, block, hash } = result;
        return { result, outcome: pending ? 'pending' : 'done', block, hash };
      });
      return { success: true, ...sent };
    } finally {
      this.#isSetting = false;
    }
  }

  #send(weights: Parameters<WeightSender['send']>[0], wait: boolean): Promise<SentWeights> {
    const late = AbortSignal.timeout(this.#options.waitMs ?? WAIT_MS);
    const signal = AbortSignal.any([this.#closing.signal, late]);
    return this.#options.sender.send(weights, { wait, signal }).catch((error: unknown) => {
      if (error !== late.reason) throw error;
      throw new QuarryError({ code: 'DEADLINE', message: 'The chain does not answer in time. Nothing was signed.' });
    });
  }

  /** Does what was asked, and writes down what came of it. */
  async #told<T>(
    about: AuditEntry,
    work: () => Promise<{ result: T; outcome: NonNullable<AuditEntry['outcome']>; [more: string]: unknown }>,
  ): Promise<T> {
    try {
      const { result, ...told } = await work();
      await this.#tell({ ...about, ...told });
      return result;
    } catch (error) {
      const { code, message } = QuarryError.from(error);
      await this.#tell({ ...about, outcome: 'failed', code, error: message });
      throw error;
    }
  }

  /** @throws BAD_REQUEST with the field at fault, which was written down */
  async #read<T>(shape: z.ZodType<T>, body: unknown, about: AuditEntry): Promise<T> {
    const read = shape.safeParse(body);
    if (read.success) return read.data;
    const [issue = { message: 'is not what was asked for', path: [] }] = read.error.issues;
    const field = issue.path.map(String).join('.').slice(0, 100);
    const error = `${field || 'The body'}: ${sentence(valueFault(issue))}`;
    await this.#tell({ ...about, outcome: 'refused', error });
    throw new QuarryError({ code: 'BAD_REQUEST', message: error, ...(field && { field }) });
  }
}
