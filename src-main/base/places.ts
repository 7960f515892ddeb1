/** Who wants a place, and for how long. */
export interface PlaceWanted {
  /** For whom: all works of one party share what is its due. Default: a party of its own. */
  party?: string | undefined;
  /** For the waiting alone. */
  signal?: AbortSignal | undefined;
}

/** One for whom work is done. */
interface Party {
  running: number;
  /** Time that its works have had places, milliseconds; of whoever comes anew, as much as the one who had least. */
  hadMs: number;
  readonly waiting: Set<() => void>;
}

/**
 * Does several things at a time, and no more. Whoever finds no place waits: the next one is for the party that has had the least of time, and among those that
 * had as much, for the one that came first. So one whose works take long delays itself. Half of the places, rounded up, is the most that one party has at a time: all of
 * them would be gone until its longest work ends.
 */
export class Places {
  #free: number;
  readonly #mostOfOne: number;
  readonly #now: () => number;
  readonly #parties = new Map<string | symbol, Party>();

  /** @param count how many at a time, 1 or more @param now milliseconds */
  constructor(count: number, now: () => number = () => performance.now()) {
    this.#free = count;
    this.#mostOfOne = Math.ceil(count / 2);
    this.#now = now;
  }

  /**
   * Does the work once there is a place for it.
   * @throws the signal's reason; what the work throws
   */
  async take<Done>(work: () => Promise<Done>, { party, signal }: PlaceWanted = {}): Promise<Done> {
    const of = this.#enter(party ?? Symbol());
    await this.#place(of, signal);
    const begun = this.#now();
    try {
      return await work();
    } finally {
      of.hadMs += this.#now() - begun;
      of.running--;
      this.#free++;
      this.#fill();
    }
  }

  #enter(name: string | symbol): Party {
    const least = this.#least();
    const known = this.#parties.get(name);
    const party = known ?? { running: 0, hadMs: 0, waiting: new Set() };
    // Who wanted nothing for a while has saved nothing up.
    if (isIdle(party) && least !== undefined) party.hadMs = Math.max(party.hadMs, least);
    this.#parties.set(name, party);
    return party;
  }

  async #place({ waiting }: Party, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      waiting.delete(resolve);
      this.#forget();
      reject(signal?.reason);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    this.#fill();
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** Gives away what is free. */
  #fill(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [begin] = next.waiting;
      if (!begin) return;
      next.waiting.delete(begin);
      next.running++;
      this.#free--;
      begin();
    }
    this.#forget();
  }

  #next(): Party | undefined {
    if (this.#free === 0) return undefined;
    let next: Party | undefined;
    for (const party of this.#parties.values()) {
      const mayBegin = party.waiting.size > 0 && party.running < this.#mostOfOne;
      if (mayBegin && (!next || party.hadMs < next.hadMs)) next = party;
    }
    return next;
  }

  /** What the party has had that has had least, of those that want something; undefined where nobody does. */
  #least(): number | undefined {
    const had = [...this.#parties.values()].filter((party) => !isIdle(party)).map(({ hadMs }) => hadMs);
    return had.length > 0 ? Math.min(...had) : undefined;
  }

  /** Of who wants nothing only that is remembered by which he is ahead. */
  #forget(): void {
    const least = this.#least();
    for (const [name, party] of this.#parties)
      if (isIdle(party) && (least === undefined || party.hadMs <= least)) this.#parties.delete(name);
  }
}

const isIdle = ({ running, waiting }: Party) => running === 0 && waiting.size === 0;
