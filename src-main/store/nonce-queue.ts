import { setImmediate as aTurn } from 'node:timers/promises';

/** What a hotkey signs with one request, and never again. */
export interface Nonce {
  hotkey: string;
  nonce: string;
  /** The request’s timestamp, Unix milliseconds. */
  at: number;
}

/** Nonces that are written together. */
const MOST_TOGETHER = 64;

interface Waiting {
  nonce: Nonce;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

/**
 * Nonces as requests bring them, written together: each flush to the disk holds everybody up, and with one for each request a flood of them would leave a turn to nobody
 * else. Those that come while others are written go next; between two writes whoever else waits has a turn.
 */
export class NonceQueue {
  readonly #write: (nonces: readonly Nonce[]) => Promise<readonly Pick<Nonce, 'hotkey' | 'nonce'>[]>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** @param write puts them on the disk, all or none @returns those that were not there before */
  constructor(write: (nonces: readonly Nonce[]) => Promise<readonly Pick<Nonce, 'hotkey' | 'nonce'>[]>) {
    this.#write = write;
  }

  /** On the disk when it resolves. @returns whether it is new @throws what writing throws: it may be tried again */
  take(nonce: Nonce): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ nonce, resolve, reject });
    this.#writing ??= this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    await aTurn(); // requests of the same turn go together
    while (this.#waiting.length > 0) {
      await this.#writeSome(this.#waiting.splice(0, MOST_TOGETHER));
      await aTurn();
    }
    this.#writing = undefined;
  }

  async #writeSome(some: readonly Waiting[]): Promise<void> {
    try {
      const fresh = new Set((await this.#write(some.map(({ nonce }) => nonce))).map(keyOf));
      // Of the same one twice, the first is new.
      for (const { nonce, resolve } of some) resolve(fresh.delete(keyOf(nonce)));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}

const keyOf = ({ hotkey, nonce }: Pick<Nonce, 'hotkey' | 'nonce'>) => `${hotkey} ${nonce}`;
