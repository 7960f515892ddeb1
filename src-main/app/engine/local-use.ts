import { unlessAborted } from '../../base/unless-aborted.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';

/** Milliseconds for which a model that was loaded for a question stays loaded after the last one. */
const IDLE_MS = 600_000;

export interface LocalUseOptions {
  engine: EngineSlot;
  /** Default ten minutes. */
  idleMs?: number;
}

/** Lets people of this machine use the engine although it does not mine: loads the model for them, and frees it later. */
export class LocalUse {
  readonly #engine: EngineSlot;
  readonly #idleMs: number;
  #users = 0;
  #keepers = 0;
  #timer: NodeJS.Timeout | undefined;
  #freesAt: number | undefined;
  #closed = false;

  constructor({ engine, idleMs = IDLE_MS }: LocalUseOptions) {
    this.#engine = engine;
    this.#idleMs = idleMs;
  }

  /**
   * Resolves when the model is loaded; it is kept until the result is disposed of, and a while longer.
   * @throws what loading throws; CANCELLED when the signal aborts: then the model is loaded all the same
   */
  async begin(signal?: AbortSignal): Promise<Disposable> {
    this.#users++;
    this.#stay();
    try {
      await unlessAborted(this.#engine.open(), signal);
    } catch (error) {
      this.#end();
      throw error;
    }
    return { [Symbol.dispose]: () => this.#end() };
  }

  /** Somebody waits for an answer, or may ask at once. */
  get isUsed(): boolean {
    return this.#users + this.#keepers > 0 || this.#isAsked;
  }

  /** When the model is freed if nobody asks, in Unix milliseconds; undefined while it is used, or kept for other work. */
  get freesAt(): number | undefined {
    return this.isUsed ? undefined : this.#freesAt;
  }

  /** From now on no model is freed, whoever loaded it, until the result is disposed of: who mines ends the engine himself. */
  keep(): Disposable {
    this.#keepers++;
    return { [Symbol.dispose]: () => void this.#keepers-- };
  }

  /** No model is freed by itself any more. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#stay();
  }

  #end(): void {
    this.#users--;
    if (this.#users === 0) this.#freeLater();
  }

  #freeLater(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#free(), this.#idleMs).unref();
    this.#freesAt = Date.now() + this.#idleMs;
  }

  #stay(): void {
    clearTimeout(this.#timer);
    this.#freesAt = undefined;
  }

  #free(): void {
    if (this.#keepers > 0) return;
    if (this.#isAsked) this.#freeLater();
    else void this.#engine.close();
  }

  /** Also by clients of the mesh, which have it by another way. */
  get #isAsked(): boolean {
    const { active, waiting } = this.#engine.status();
    return active + waiting > 0;
  }
}
