/** Nanoseconds in a millisecond: nonces are times in the one, clocks and the database count the other. */
const NS = 1_000_000n;
/** Hotkeys, and of each the dendrites, whose last nonces are remembered: 100 bytes each. */
const HOTKEYS = 4_096;
const UUIDS = 16;
/** As many hotkeys are remembered while the nonces of the oldest are still to come: to forget them would refuse what everybody says now. */
const MOST_AHEAD = 4 * HOTKEYS;
/** Milliseconds for which an honest request is on its way: nonces of now are not refused because others were forgotten. */
const ON_THE_WAY_MS = 2_000;
/** Milliseconds by which the mark on the disk goes ahead of the nonces, so that it is written once in that time. */
const AHEAD_MS = 2_000;

/** Up to when an axon may have taken nonces, kept across restarts. */
export interface NonceMarkStore {
  /** Unix milliseconds; 0 when nothing was kept. @param hotkey the axon's own */
  load(hotkey: string): Promise<number>;
  /** Never lower than before. On the disk when it resolves. */
  raise(hotkey: string, until: number): Promise<void>;
}

/** The dendrites of one hotkey, the one that was heard last at the end. */
interface Heard {
  /** Nonces up to here are of the past, whoever's: dendrites that were forgotten had none higher. */
  floor: bigint;
  last: Map<string, bigint>;
}

/**
 * Lets every nonce through once. Of each dendrite (hotkey and uuid) nonces have to rise, as the SDK wants it. Memory is bounded, and what
 * is forgotten opens no door: to forget a dendrite raises the floor under which its hotkey's nonces are refused, to forget a hotkey
 * raises everybody's, but never up to now. A hotkey that makes up uuids closes the door on itself alone; so many hotkeys at once that none
 * of them can be forgotten yet close it for hotkeys that were not heard before.
 *
 * Restarts open none either. Nonces are refused that are older than this start, or not above a mark on the disk, which was written
 * before the first nonce up to it was taken: so neither a crash nor a clock that was set back brings one back.
 */
export class NonceTable {
  readonly #store: NonceMarkStore;
  readonly #hotkey: string;
  readonly #heard = new Map<string, Heard>();
  #floor: bigint;
  /** What may be taken without another look at the disk. */
  #until: bigint;
  #wanted: bigint;
  #writing: Promise<void> | undefined;

  private constructor(store: NonceMarkStore, hotkey: string, { mark, startedAt }: { mark: bigint; startedAt: bigint }) {
    this.#store = store;
    this.#hotkey = hotkey;
    this.#until = mark;
    this.#wanted = mark;
    this.#floor = mark > startedAt ? mark : startedAt;
  }

  /** @param hotkey the axon's own @param now Unix milliseconds */
  static async open(store: NonceMarkStore, hotkey: string, now: number): Promise<NonceTable> {
    const mark = BigInt(await store.load(hotkey)) * NS;
    return new NonceTable(store, hotkey, { mark, startedAt: BigInt(now) * NS });
  }

  /** Dendrites that are remembered. */
  get size(): number {
    return this.#heard.values().reduce((sum, { last }) => sum + last.size, 0);
  }

  /** Whether a nonce may have been taken before. Changes nothing. */
  isUsed(hotkey: string, uuid: string, nonce: bigint): boolean {
    const heard = this.#heard.get(hotkey);
    return nonce <= (heard?.last.get(uuid) ?? heard?.floor ?? this.#floor) || nonce <= this.#floor;
  }

  /**
   * Takes a nonce whose signature is right.
   * @param now Unix milliseconds
   * @returns false when it was taken meanwhile, or there is no room for one more hotkey
   * @throws what the store throws: nothing is taken that a restart could forget
   */
  async take(hotkey: string, uuid: string, nonce: bigint, now: number): Promise<boolean> {
    if (this.isUsed(hotkey, uuid, nonce)) return false;
    this.#forgetOldest(BigInt(now - ON_THE_WAY_MS) * NS);
    if (this.#heard.size >= MOST_AHEAD && !this.#heard.has(hotkey)) return false;
    this.#remember(hotkey, uuid, nonce);
    while (nonce > this.#until) await this.#reach(nonce);
    return true;
  }

  #remember(hotkey: string, uuid: string, nonce: bigint): void {
    const heard = this.#heard.get(hotkey) ?? { floor: 0n, last: new Map() };
    heard.last.delete(uuid);
    heard.last.set(uuid, nonce);
    if (heard.last.size > UUIDS) heard.floor = greater(heard.floor, forgetFirst(heard.last) ?? 0n);
    this.#heard.delete(hotkey);
    this.#heard.set(hotkey, heard);
  }

  /** Makes room for one, of hotkeys whose nonces were all before a moment. */
  #forgetOldest(before: bigint): void {
    for (const [hotkey, { floor, last }] of this.#heard) {
      const highest = [floor, ...last.values()].reduce(greater, 0n);
      if (this.#heard.size < HOTKEYS || highest > before) return;
      this.#heard.delete(hotkey);
      this.#floor = greater(this.#floor, highest);
    }
  }

  /** Of many that ask at once one writes. */
  async #reach(nonce: bigint): Promise<void> {
    this.#wanted = greater(this.#wanted, nonce);
    this.#writing ??= this.#raise().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #raise(): Promise<void> {
    const until = Number(this.#wanted / NS) + AHEAD_MS;
    await this.#store.raise(this.#hotkey, until);
    this.#until = BigInt(until) * NS;
  }
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function forgetFirst<Value>(map: Map<string, Value>): Value | undefined {
  const [first] = map;
  if (first) map.delete(first[0]);
  return first?.[1];
}
