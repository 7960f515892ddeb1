import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import type { ChildLimits } from './child-limits.ts';

const MIB = 1024 * 1024;
/** An eighth more is kept for messages below this many bytes: what takes back a large one has to pass. */
const SMALL = 1024;
const RESERVE = 1.125;

/**
 * What was sent to a child and waits in this process, because the child does not read: it is bounded, and a child that
 * reads none of it for long hangs. (Some 200 kB lie in the system's own buffers and count as read.)
 */
export class Unread {
  readonly #mib: number;
  readonly #seconds: number;
  readonly #onDeaf: (reason: Words) => void;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param onDeaf called with the rest of a sentence that begins with the child's name */
  constructor({ unreadMiB = 64, unreadSeconds = 60 }: ChildLimits, onDeaf: (reason: Words) => void) {
    this.#mib = unreadMiB;
    this.#seconds = unreadSeconds;
    this.#onDeaf = onDeaf;
  }

  /**
   * Counts a message until the function that it returns is called. The one that reaches the limit still passes, so that a
   * large one does where nothing waits.
   * @throws OVERLOADED (retryable)
   */
  add(message: object): () => void {
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const allowed = this.#mib * MIB * (bytes < SMALL ? RESERVE : 1);
    if (this.#bytes >= allowed) throw unread(this.#bytes);
    this.#bytes += bytes;
    if (!this.#timer) this.#watch();
    return () => {
      this.#bytes -= bytes;
      this.#watch();
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Patience begins anew with each message that was read. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || this.#bytes === 0) return;
    const seconds = this.#seconds;
    this.#timer = setTimeout(() => this.#onDeaf(say('child.deaf', { seconds })), seconds * 1_000);
  }
}

function unread(bytes: number): QuarryError {
  return new QuarryError({
    code: 'OVERLOADED',
    message: say('child.unread', { bytes }),
    hint: say('child.sendLater'),
    retryable: true,
    retryAfterMs: 1_000,
  });
}
