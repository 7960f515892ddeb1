import hypercoreCrypto from 'hypercore-crypto';
import type { Logger } from 'pino';
import { Turns } from '../../base/turns.ts';
import { clearLog, diskOf, measureLog, NOTHING, type Taken, withBlock } from './log-disk.ts';
import type { LogShelf } from './log-shelf.ts';
import type { LogStore } from './log-store.ts';

/** Milliseconds from one look to the next, where little was read meanwhile. */
const LOOK_EVERY_MS = 600_000;
/**
 * Share of the cap that logs may have: the rest is for what went and the disk has not got back. To give it back all logs are written anew,
 * so that has to be rare, however many come and go.
 */
const COUNTED = 2 / 3;
/** Share of that which is left in use when logs had to go: not every look should find something to do. */
const LEFT = 0.8;
/** Share of the cap after which is looked again when so much was read. */
const NEWS = 1 / 16;

/** What the disk may take beside the cap: the database's own files. */
const SLACK_BYTES = 16 * 1024 * 1024;
/** Where it takes more than that, though all logs were written anew, this share of the logs goes before the next look at it. */
const SHARE = 1 / 8;

/** Logs looked up in one go. */
const AT_ONCE = 256;

/** A log that is followed: its public key (64 hex), and how many of its entries were read. */
export interface FollowedLog {
  readonly logKey: string;
  readonly proven: { readonly seq: number };
}

export interface LogBudgetOptions {
  store: LogStore;
  shelf: Pick<LogShelf, 'drop'>;
  /** This node's own log, by its public key (64 hex); it does not count, and never goes. Undefined until it is open. */
  own: () => string | undefined;
  /** The logs that are followed, the one that is of least use first. */
  followed: () => Iterable<FollowedLog>;
  /** For logs of others. */
  maxBytes: number;
  /** What the disk may take beside. Default {@link SLACK_BYTES} */
  slackBytes?: number;
  /** Default {@link LOOK_EVERY_MS}. */
  everyMs?: number;
  log: Logger;
}

/**
 * Holds the disk that others' score logs take to a cap: looked at at the start, whatever a node before has left, every ten minutes, and when
 * much was read. Logs that nobody follows go. Of those that are followed the blocks go first, and what was proven stays known: only the next
 * ones are fetched. A resource.
 */
export class LogBudget {
  readonly #options: LogBudgetOptions;
  readonly #turns = new Turns();
  /** What logs of others take, by their public keys; measured at the first look, counted from then on. */
  readonly #taken = new Map<string, Taken>();
  #measured = false;
  /** Something was read since the last look. */
  #news = true;
  /** Bytes read since it was looked because of them. */
  #read = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LogBudgetOptions) {
    this.#options = options;
  }

  /** Idempotent. */
  open(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setInterval(() => void this.look(), this.#options.everyMs ?? LOOK_EVERY_MS).unref();
    void this.look();
  }

  /** A block of a log has come. */
  came(logKey: string, bytes: number): void {
    if (logKey === this.#options.own()) return;
    this.#taken.set(logKey, withBlock(this.#taken.get(logKey) ?? NOTHING, bytes));
    this.#read += bytes;
    this.#news = true;
    if (this.#read < NEWS * this.#options.maxBytes) return;
    this.#read = 0;
    void this.look();
  }

  /** Makes room on the disk if need be. Never rejects. */
  look(): Promise<void> {
    return this.#turns.take(async () => {
      try {
        if (!this.#closed) await this.#hold();
      } catch (err) {
        if (!this.#closed) this.#options.log.warn({ err }, 'the score logs’ place on the disk could not be looked at');
      }
    });
  }

  /** Waits for a look that is under way. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#turns.ended();
  }

  async #hold(): Promise<void> {
    const { store, own, maxBytes } = this.#options;
    if (own() === undefined) return; // until it is known which log is this node's own, none goes
    const news = this.#news;
    this.#news = false;
    if (news) await store.storage.db.flush(); // until then, what was written takes its place several times
    const here = await Array.fromAsync(store.list());
    const followed = this.#followed(); // after the list: what is in it and not followed by now, is not read either
    const kept = new Set([...followed.keys()].map((key) => nameOf(key).toString('hex')));
    await this.#forget(here.filter((name) => !kept.has(name.toString('hex'))));
    if (!this.#measured) await this.#measure(new Set(here.map((name) => name.toString('hex'))), followed);
    const keys = [...followed.keys()];
    if (this.#sum() > COUNTED * maxBytes) await this.#makeRoom(keys);
    if (news) await this.#holdDisk(keys);
  }

  /**
   * Gives the disk back what went. More may be there than is counted, though: with each block may come more hashes than any honest log has.
   * Then logs go whole.
   */
  async #holdDisk(keys: string[]): Promise<void> {
    const { store, maxBytes, slackBytes = SLACK_BYTES, log } = this.#options;
    let bytes = await diskOf(store);
    if (bytes <= maxBytes + slackBytes) return;
    const most = maxBytes + slackBytes + (await this.#ownBytes());
    const left = keys.filter((key) => this.#taken.has(key));
    const atOnce = Math.ceil(left.length * SHARE);
    while (bytes > most && !this.#closed) {
      const before = bytes;
      await store.storage.compact();
      bytes = await diskOf(store);
      log.info({ before, after: bytes, maxBytes }, 'logs of others were written anew to give the disk back what went');
      if (bytes <= most || left.length === 0) return;
      for (const key of left.splice(0, atOnce)) await this.#remove(key);
    }
  }

  async #ownBytes(): Promise<number> {
    const { store, own } = this.#options;
    const key = own() ?? '';
    const [here] = await store.storage.getInfos([nameOf(key)], { hints: false });
    const { blocks, rest } = here?.head ? await measureLog(store, Buffer.from(key, 'hex'), 0) : NOTHING;
    return blocks + rest;
  }

  /** How many entries of each log were read, by its key, the one that is of least use first. */
  #followed(): Map<string, number> {
    return new Map([...this.#options.followed()].map(({ logKey, proven }) => [logKey, proven.seq]));
  }

  /** Removes logs that nobody follows any more. */
  async #forget(names: readonly Buffer[]): Promise<void> {
    const { store, own } = this.#options;
    for (let start = 0; start < names.length && !this.#closed; start += AT_ONCE) {
      const infos = await store.storage.getInfos(names.slice(start, start + AT_ONCE), { hints: false });
      for (const info of infos) {
        const key = info?.auth?.key;
        if (!key || key.toString('hex') === own()) continue;
        const taken = this.#taken.get(key.toString('hex')) ?? (info.head ? await measureLog(store, key, 0) : NOTHING);
        this.#taken.set(key.toString('hex'), taken);
        await this.#remove(key.toString('hex'));
      }
    }
  }

  async #measure(here: ReadonlySet<string>, followed: ReadonlyMap<string, number>): Promise<void> {
    for (const [key, entries] of followed) {
      if (this.#closed) return;
      if (key === this.#options.own() || !here.has(nameOf(key).toString('hex'))) continue;
      this.#taken.set(key, await measureLog(this.#options.store, Buffer.from(key, 'hex'), entries));
    }
    this.#measured = true;
  }

  /** First blocks go. Where what stays of them is too much, logs go whole; then nobody notices here that one was written anew. */
  async #makeRoom(keys: readonly string[]): Promise<void> {
    const most = COUNTED * this.#options.maxBytes;
    for (const key of keys) {
      if (this.#closed || this.#sum() <= LEFT * most) return;
      await this.#clear(key);
    }
    if (this.#sum() <= most) return;
    for (const key of keys) {
      if (this.#closed || this.#sum() <= LEFT * most) return;
      if (this.#taken.has(key)) await this.#remove(key);
    }
  }

  async #clear(key: string): Promise<void> {
    const { blocks, rest } = this.#taken.get(key) ?? NOTHING;
    if (blocks === 0) return;
    await clearLog(this.#options.store, Buffer.from(key, 'hex'));
    this.#taken.set(key, { blocks: 0, rest });
  }

  async #remove(key: string): Promise<void> {
    const { store, shelf, log } = this.#options;
    try {
      await shelf.drop(key);
      await store.remove(nameOf(key));
      this.#taken.delete(key);
    } catch (err) {
      log.debug({ err }, 'a log that is to go is still in use');
    }
  }

  #sum(): number {
    let sum = 0;
    for (const { blocks, rest } of this.#taken.values()) sum += blocks + rest;
    return sum;
  }
}

/** By what the store knows a log. */
function nameOf(key: string): Buffer {
  return hypercoreCrypto.discoveryKey(Buffer.from(key, 'hex'));
}
