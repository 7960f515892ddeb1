import { randomInt } from 'node:crypto';
import { DEFAULTS } from '../../../src-preload/contract/defaults.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { MAX_SEED } from '../../../src-preload/contract/limits.ts';
import type { GenerateRequest } from '../../../src-preload/contract/request.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { costOf } from '../../credits/price.ts';
import { canBeVerified } from '../../inference/request-schema.ts';
import { Tries } from './retry-policy.ts';

/** One call of the client's `generate`, over all its attempts. */
export class Ask {
  readonly request: GenerateRequest;
  /** The same as workers are asked it: where nothing constrains the answer, so that its tokens can be chosen again. */
  readonly verified: { request: GenerateRequest; verified: boolean };
  readonly model: string | undefined;
  readonly maxTokens: number;
  /** Credits that an answer costs at most. */
  readonly cost: number;
  /** Aborts when the answer is no longer wanted, for whatever reason. */
  readonly signal: AbortSignal;
  /** Told when a worker has been sent the prompt. */
  readonly onSent: () => void;
  /** Workers that were asked and failed. */
  readonly tries: Tries;
  #failedHere: QuarryError | undefined;
  /** The only worker that may be asked; undefined: anyone. */
  readonly #worker: string | undefined;
  readonly #isShunned: (worker: string) => boolean;
  readonly #now: () => number;
  readonly #deadline: number;
  readonly #expiry = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(options: {
    request: GenerateRequest;
    model: string | undefined;
    worker?: string | undefined;
    /** Whom nobody here asks. Default: there is no such worker. */
    isShunned?: ((worker: string) => boolean) | undefined;
    deadlineMs: number;
    /** Workers that may take the request and fail. */
    attempts: number;
    signals: AbortSignal[];
    now: () => number;
    onSent?: (() => void) | undefined;
  }) {
    const { request, model, worker, deadlineMs, attempts, signals, now } = options;
    const { isShunned = () => false, onSent = () => {} } = options;
    this.request = request;
    const verified = canBeVerified(request);
    const seed = request.seed ?? randomInt(MAX_SEED + 1);
    this.verified = { verified, request: verified ? { ...request, seed } : request };
    this.model = model;
    this.onSent = onSent;
    this.#worker = worker;
    this.#isShunned = isShunned;
    this.maxTokens = request.maxTokens ?? DEFAULTS.maxTokens;
    this.cost = costOf({ completionTokens: this.maxTokens });
    this.tries = new Tries(attempts, model);
    this.#now = now;
    this.#deadline = now() + deadlineMs;
    this.#timer = setTimeout(() => this.#expiry.abort(), deadlineMs);
    this.signal = AbortSignal.any([this.#expiry.signal, ...signals]);
  }

  /** Whether this worker may be asked at all. */
  mayAsk({ id }: { id: string }): boolean {
    return (this.#worker === undefined || this.#worker === id) && !this.#isShunned(id);
  }

  /**
   * Does this node's own part of an attempt. What fails in it (credits, the disk) is no worker's fault, and none can help.
   * @throws what the work throws, as a QuarryError
   */
  async ownPart<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failedHere = QuarryError.from(error);
      throw this.#failedHere;
    }
  }

  /** Whether this failure came out of {@link ownPart}. */
  isOwn(failure: QuarryError): boolean {
    return failure === this.#failedHere;
  }

  /** Milliseconds that are left. */
  get leftMs(): number {
    return Math.max(0, this.#deadline - this.#now());
  }

  /** @throws DEADLINE or CANCELLED when the answer is no longer wanted */
  throwIfOver(): void {
    if (this.signal.aborted || this.leftMs === 0) throw this.why();
  }

  /** The error that the abort stands for. */
  why(): QuarryError {
    // The time may be over before its timer has fired.
    return this.#expiry.signal.aborted || this.leftMs === 0
      ? new QuarryError({ code: 'DEADLINE', message: say('mesh.deadline') })
      : new QuarryError({ code: 'CANCELLED', message: say('request.cancelled') });
  }

  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener('abort', done);
      if (this.signal.aborted) done();
    });
  }

  /** Frees the timer. Idempotent. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
