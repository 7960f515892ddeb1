import { MAX_SENT_TO_CHARS, type Sent, sentSchema } from '../../../src-preload/contract/focus-sent.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import type { FocusSentStore } from '../../store/focus/focus-tasks.ts';

/** Something that is about to leave this computer. */
export type Leaving = Omit<Sent, 'at' | 'by'> & Partial<Pick<Sent, 'by'>>;

/**
 * Whether what goes there stays on this computer, whatever it is: for a model and for a market alike.
 * @param to host, with or without a port
 */
export function staysHere(to: string): boolean {
  const url = URL.parse(`http://${to}`);
  return url !== null && isLoopbackUrl(url);
}

/**
 * What of recordings left this computer: written down before the first byte goes, so that nothing goes that is not there. Lines have no title, and stay when the
 * recording is deleted.
 */
export class ConsentLog {
  readonly #store: FocusSentStore;
  readonly #now: () => number;

  /** @param now Unix milliseconds. Default: the clock */
  constructor(store: FocusSentStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Writes down that something leaves; not what stays here: see {@link staysHere}. Call it before the sending, and send only when it has returned.
   *
   * @param leaving `to` a host, with or without a port; `bytes` as many as will be sent; `by` is a click unless a setting says so for all
   * @param signal of the sending: where it is over already, nothing is written, and nothing may be sent
   * @throws the signal’s reason; what the database says: then nothing may be sent
   */
  async note(leaving: Leaving, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (staysHere(leaving.to)) return;
    const to = foreignLine(leaving.to).slice(0, MAX_SENT_TO_CHARS);
    await this.#store.add(sentSchema.parse({ by: 'click', ...leaving, to, at: this.#now() }));
  }

  /** Newest first. @param recording default: all */
  list(asked: { recording?: string | undefined; limit: number }): Promise<Sent[]> {
    return this.#store.list(asked);
  }
}
