import type { Agent, Dispatcher } from 'undici';
import type { z } from 'zod';
import { ERROR_CODES, QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Sending, SentWeights, WeightSender, WeightsToSend } from '../weights/weight-sender.ts';
import { failureAnswer, pubkeyAnswer, setWeightsAnswer, signAnswer } from './signer-shapes.ts';

export interface SignerClientOptions {
  /** Of the service: `http://127.0.0.1:8092`, or `https://…` elsewhere. */
  url: string;
  token: string;
  timeouts?: Partial<SignerTimeouts>;
}

/** Milliseconds. */
export interface SignerTimeouts {
  /** Default 2,000. */
  connect: number;
  /** For a signature or the address, in all. Default 30,000. */
  sign: number;
  /** For weights, in all. Default 120,000. */
  setWeights: number;
}

export const SIGNER_TIMEOUTS: SignerTimeouts = { connect: 2_000, sign: 30_000, setWeights: 120_000 };

const MOST_ANSWER_BYTES = 64 << 10;
const MOST_REASON = 500;

/**
 * Has a signer service sign, and set weights. Nothing else is tried where that refuses or is away: it is told plainly, and no key of this computer
 * signs in its place. A resource.
 */
export class SignerClient implements WeightSender {
  readonly #url: URL;
  readonly #token: string;
  readonly #timeouts: SignerTimeouts;
  #agent: Promise<Agent> | undefined;

  /** @throws CONFIG_INVALID for an address that is none, and for plain HTTP to another computer */
  constructor({ url, token, timeouts }: SignerClientOptions) {
    this.#url = signerUrl(url);
    this.#token = token;
    this.#timeouts = { ...SIGNER_TIMEOUTS, ...timeouts };
  }

  async hotkey(signal?: AbortSignal): Promise<string> {
    const about = { shape: pubkeyAnswer, timeout: this.#timeouts.sign, signal };
    return (await this.#ask('pubkey', undefined, about)).hotkey;
  }

  /** Signatures of results, 128 hex each, in their order. @throws BAD_REQUEST where one is no result of its hotkey */
  async sign(payloads: readonly string[], signal?: AbortSignal): Promise<{ signatures: string[]; hotkey: string }> {
    const about = { shape: signAnswer, timeout: this.#timeouts.sign, signal };
    const { signatures, hotkey } = await this.#ask('sign', { payloads }, about);
    if (signatures.length === payloads.length) return { signatures, hotkey };
    throw this.#noSense();
  }

  async send({ versionKey, ...weights }: WeightsToSend, { wait, signal }: Sending): Promise<SentWeights> {
    const version = versionKey === undefined ? {} : { version_key: String(versionKey) };
    const asked = { ...weights, wait_for_inclusion: wait, ...version };
    const about = { shape: setWeightsAnswer, timeout: this.#timeouts.setWeights, signal };
    const { success: _, ...sent } = await this.#ask('set_weights', asked, about);
    return sent;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #ask<T>(
    path: string,
    body: object | undefined,
    { shape, timeout, signal }: { shape: z.ZodType<T>; timeout: number; signal: AbortSignal | undefined },
  ): Promise<T> {
    const late = AbortSignal.timeout(timeout);
    try {
      const answer = await this.#exchange(path, body, signal ? AbortSignal.any([late, signal]) : late);
      if (answer.status !== 200) throw this.#refused(answer);
      const read = shape.safeParse(answer.body);
      if (!read.success) throw this.#noSense();
      return read.data;
    } catch (error) {
      if (error instanceof QuarryError) throw error;
      signal?.throwIfAborted();
      throw late.aborted ? this.#late() : this.#silent(error);
    }
  }

  async #exchange(path: string, body: object | undefined, signal: AbortSignal) {
    // A third of what a command loads, and few have a signer.
    const { Agent, request } = await import('undici');
    this.#agent ??= Promise.resolve(new Agent({ connect: { timeout: this.#timeouts.connect } }));
    const authorization = `Bearer ${this.#token}`;
    const { statusCode: status, body: answered } = await request(new URL(path, this.#url), {
      dispatcher: await this.#agent,
      signal,
      ...(body
        ? {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
        : { method: 'GET', headers: { authorization } }),
    });
    return { status, body: await this.#json(answered) };
  }

  /** Undefined for what is no JSON. @throws PROTOCOL for too much of it */
  async #json(answered: Dispatcher.ResponseData['body']): Promise<unknown> {
    const chunks: Uint8Array[] = [];
    let left = MOST_ANSWER_BYTES;
    for await (const chunk of answered as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) throw this.#noSense();
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (jsonExcess(bytes)) throw this.#noSense();
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      return undefined; // another program may answer there
    }
  }

  #refused({ status, body }: { status: number; body: unknown }): QuarryError {
    if (status === 401) {
      return new QuarryError({ code: 'UNAUTHORIZED', message: say('bittensor.signer.wrongToken', this.#place()) });
    }
    const said = failureAnswer.safeParse(body);
    if (!said.success) return this.#noSense();
    const reason = foreignLine(said.data.error).slice(0, MOST_REASON);
    const code = ERROR_CODES.find((known) => known === said.data.code) ?? 'CHAIN_REFUSED';
    const retryable = status === 429 || status >= 500;
    return new QuarryError({ code, message: say('bittensor.signer.refused', { reason }), retryable });
  }

  #noSense(): QuarryError {
    return new QuarryError({ code: 'PROTOCOL', message: say('bittensor.signer.noSense', this.#place()) });
  }

  #late(): QuarryError {
    return new QuarryError({ code: 'DEADLINE', message: say('bittensor.signer.late', this.#place()) });
  }

  #silent(cause: unknown): QuarryError {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = foreignLine(code ?? message).slice(0, MOST_REASON);
    return new QuarryError(
      {
        code: 'NOT_RUNNING',
        message: say('bittensor.signer.silent', { ...this.#place(), reason }),
        hint: say('bittensor.signer.startIt'),
        retryable: true,
      },
      { cause },
    );
  }

  #place(): { url: string } {
    return { url: this.#url.origin };
  }
}

function signerUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:';
  if (url && (isPlain || url.protocol === 'https:') && !url.username && !url.password && url.pathname === '/') {
    if (!isPlain || isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return url;
    const hint = say('bittensor.signer.useTunnel');
    throw new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.signer.plainUrl'), hint, field: 'signer' });
  }
  const hint = say('bittensor.signer.urlLooks');
  throw new QuarryError({ code: 'CONFIG_INVALID', message: say('bittensor.signer.noUrl'), hint, field: 'signer' });
}
