import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { backOffMs } from '../../base/back-off.ts';
import type { Signer } from '../signer.ts';

/** A hotkey that goes on signing until it is closed. */
export interface OpenHotkey extends Signer {
  /**
   * Looks whether it can sign. One whose process has ended, or does not answer, is opened again where that takes no password.
   * @throws NOT_RUNNING within seconds where it cannot sign now; the hint says what is to be done, the cause what has happened
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A key in a process of its own. */
export interface KeyInProcess extends Signer {
  /** Why it signs nothing more; undefined while it does. */
  ended(): QuarryError | undefined;
  /** Its address, as the process tells it that holds it. */
  held(): Promise<string>;
  close(): Promise<void>;
}

export interface HotkeyHolding {
  /** Starts a process that holds it. */
  open: () => Promise<KeyInProcess>;
  /** Then nobody but a person can open it again. */
  hasPassword: boolean;
  /** Milliseconds within which the process has to say that it is there. Default 3,000 */
  answerMs?: number;
  /** Milliseconds of a clock that only goes forward. Default `performance.now` */
  now?: () => number;
}

const ANSWER_MS = 3_000;
/** Between two that were started again: what ends at once would be started on and on. */
const BETWEEN = { firstMs: 1_000, longestMs: 60_000 };
/** What has lived for so long, in milliseconds, begins anew with that. */
const STEADY_MS = 60_000;

/** Opens a hotkey, and keeps it open although its process may end. @throws what `open` throws */
export async function holdHotkey({
  open,
  hasPassword,
  answerMs = ANSWER_MS,
  now = () => performance.now(),
}: HotkeyHolding): Promise<OpenHotkey> {
  const key = await open();
  const holder = new Holder(key, { open, hasPassword, answerMs, now });
  return {
    ...{ address: key.address, publicKey: key.publicKey },
    sign: (message) => holder.use((held) => held.sign(message)),
    check: () => holder.check(),
    close: () => holder.close(),
  };
}

/** The process that holds it now. */
class Holder {
  readonly #options: Required<HotkeyHolding>;
  #key: KeyInProcess;
  #opening: Promise<KeyInProcess> | undefined;
  #openedAt: number;
  /** Processes that did not live long. */
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #reason: unknown;
  #closed = false;

  constructor(key: KeyInProcess, options: Required<HotkeyHolding>) {
    this.#key = key;
    this.#options = options;
    this.#openedAt = options.now();
  }

  /** @throws NOT_RUNNING where there is no process to do it, or that ends meanwhile */
  async use<T>(work: (key: KeyInProcess) => Promise<T>): Promise<T> {
    const key = await this.#living();
    try {
      return await work(key);
    } catch (error) {
      throw key.ended() && !this.#closed ? this.#gone(error) : error;
    }
  }

  async check(): Promise<void> {
    const { answerMs, hasPassword } = this.#options;
    const over = new AbortController();
    const late = pause(answerMs, true as const, { signal: over.signal });
    try {
      if ((await Promise.race([this.use((key) => key.held()), late])) !== true) return;
    } finally {
      over.abort();
    }
    // One that is stopped may go on some day: only what can be opened again is ended.
    if (!hasPassword) void this.#key.close();
    throw this.#away(say('bittensor.wallet.hotkeySilent'), undefined);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#key.close();
  }

  async #living(): Promise<KeyInProcess> {
    const ended = this.#key.ended();
    if (!ended || this.#closed) return this.#key;
    if (this.#options.hasPassword) throw this.#gone(ended);
    this.#opening ??= this.#openAgain(ended).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #openAgain(ended: QuarryError): Promise<KeyInProcess> {
    const { open, now } = this.#options;
    if (now() < this.#notBefore) throw this.#gone(this.#reason ?? ended);
    if (now() - this.#openedAt > STEADY_MS) this.#failures = 0;
    this.#notBefore = now() + backOffMs(++this.#failures, BETWEEN);
    try {
      const key = await open();
      if (key.address !== this.#key.address || this.#closed) await key.close();
      if (key.address !== this.#key.address) {
        throw new QuarryError({ code: 'BAD_REQUEST', message: say('bittensor.wallet.otherKey') });
      }
      this.#openedAt = now();
      this.#reason = undefined;
      this.#key = key;
      return key;
    } catch (error) {
      this.#reason = error;
      throw this.#gone(error);
    }
  }

  #gone(cause: unknown): QuarryError {
    return this.#away(say('bittensor.wallet.hotkeyGone'), cause);
  }

  /** Neither says more than who has no key may know. */
  #away(message: Saying, cause: unknown): QuarryError {
    const { hasPassword } = this.#options;
    const hint = say(hasPassword ? 'bittensor.wallet.passwordAnew' : 'bittensor.wallet.startsAgain');
    return new QuarryError({ code: 'NOT_RUNNING', message, hint, retryable: !hasPassword }, { cause });
  }
}
