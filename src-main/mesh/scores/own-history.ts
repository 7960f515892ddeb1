import type { Logger } from 'pino';
import { type Saying, say, sentence } from '../../../src-preload/contract/saying.ts';
import { receiptFault } from '../../credits/books/receipt-check.ts';
import type { PastEvent } from '../../credits/credits.ts';
import { verify } from '../transport/identity.ts';
import type { LogShelf } from './log-shelf.ts';
import { decodeEntry } from './score-entry.ts';
import type { ScoreLog } from './score-log.ts';
import type { ScoreUpdate } from './score-messages.ts';

/** Peers of whom it is enough that none has said anything new for {@link HistoryTiming.quietMs}. */
const SOME_PEERS = 3;
/** Clocks of two computers may differ by this much, in milliseconds. */
const CLOCK_SKEW_MS = 120_000;
/** Entries that are booked in one go. */
const PAGE = 100;

/** All in milliseconds. */
export interface HistoryTiming {
  /** With three peers: how long nothing new has to have come from them. Default 60,000. */
  quietMs: number;
  /** The same with fewer. Default 600,000. */
  aloneMs: number;
  /** How long claims that come one after the other may put the end off. Default 600,000. */
  claimsMs: number;
  /** Time between two looks at that. */
  lookEveryMs: number;
}

export const HISTORY_TIMING: HistoryTiming = {
  quietMs: 60_000,
  aloneMs: 600_000,
  claimsMs: 600_000,
  lookEveryMs: 1_000,
};

/** What the ledger has to do with the own log. */
export interface PastEvents {
  /** How many receipts and failures the ledger has. */
  scoredCount(): Promise<number>;
  /** Books those of the log that come after them, in its order. */
  recover(events: readonly PastEvent[]): Promise<void>;
  /** Why nothing else is booked now; undefined when it is. */
  hold(why: Saying | undefined): void;
}

export interface OwnHistoryOptions {
  worker: string;
  ownLog: ScoreLog;
  shelf: LogShelf;
  events: PastEvents;
  /** Since when this node has to catch up, in Unix milliseconds: it was restored from a backup, or noticed another one with its identity. */
  catchUpSince: number | undefined;
  timing: HistoryTiming;
  /** Milliseconds to wait for a block. */
  blockTimeoutMs: number;
  /** How many peers there are on the scores network now. */
  peers: () => number;
  /** The log may be appended to: this node knows all that others know of it. */
  onLive: () => void;
  /** Somebody else writes in this node's name: it asks first the next time, too. */
  onSplit: () => void;
  log: Logger;
}

/**
 * Whether this node may append to its own score log. After a restore, others may have more of the log than its ledger: appending would
 * fork it, and a fork is a lie to all who read it. So it asks first, books what it had forgotten, and only then goes on. A claim in its name
 * that it never made shows that another node runs with its identity: then it appends nothing more. A resource.
 */
export class OwnHistory {
  readonly #options: OwnHistoryOptions;
  #state: 'live' | 'asking' | 'split' = 'live';
  /** The highest entry that others know of. */
  #known = 0;
  /** Entries that the ledger gives: a log that was lost is written anew from it, and may be shorter for a while. */
  #booked = 0;
  #quietSince = performance.now();
  /** When the first claim came of those that have put off the end of the asking. */
  #firstClaimAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(options: OwnHistoryOptions) {
    this.#options = options;
  }

  /** Begins to ask if there is a reason to. */
  async open(): Promise<void> {
    const { events, ownLog, catchUpSince } = this.#options;
    this.#booked = await events.scoredCount();
    if (catchUpSince !== undefined || ownLog.entries > this.#booked) this.#ask();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** Why this node serves nobody now; undefined when nothing is in its way. */
  get hindrance(): Saying | undefined {
    if (this.#state === 'live') return undefined;
    return say(this.#state === 'asking' ? 'score.asking' : 'score.split');
  }

  /** Whether a claim in this node's name is about something that neither its log nor its ledger has. */
  isBeyond({ seq, logKey }: Pick<ScoreUpdate, 'seq' | 'logKey'>): boolean {
    const { ownLog } = this.#options;
    return seq > Math.max(ownLog.entries, this.#booked) || logKey !== ownLog.key;
  }

  /** Takes such a claim. Its signature was checked: it is this node's own word, whoever brings it. */
  heard(claim: ScoreUpdate): void {
    const { ownLog, catchUpSince, log } = this.#options;
    if (this.#state === 'split' || this.#closed) return;
    const isLater = catchUpSince !== undefined && claim.ts > catchUpSince + CLOCK_SKEW_MS;
    const isForeign = this.#state === 'live' ? ownLog.hasAppended : isLater;
    if (isForeign || claim.logKey !== ownLog.key) {
      this.#split('a claim in its name that it did not make');
      return;
    }
    if (claim.seq <= this.#known) return;
    this.#known = claim.seq;
    this.#putOff();
    if (this.#state === 'asking') return;
    log.warn({ known: claim.seq, here: ownLog.entries }, 'others know more of this node’s score log than it does');
    this.#ask();
  }

  /** Anybody may keep old claims of this node, and bring them one by one: they put the end off for a while, not for ever. */
  #putOff(): void {
    const now = performance.now();
    this.#firstClaimAt ??= now;
    if (now - this.#firstClaimAt < this.#options.timing.claimsMs) this.#quietSince = now;
  }

  #ask(): void {
    const { events, timing } = this.#options;
    this.#state = 'asking';
    events.hold(this.hindrance);
    this.#quietSince = performance.now();
    this.#timer = setInterval(() => this.#look(), timing.lookEveryMs).unref();
  }

  #look(): void {
    const { peers, timing } = this.#options;
    const count = peers();
    if (count === 0) this.#quietSince = performance.now();
    const quietMs = count >= SOME_PEERS ? timing.quietMs : timing.aloneMs;
    if (this.#looking || this.#state !== 'asking' || performance.now() - this.#quietSince < quietMs) return;
    this.#looking = this.#catchUp().finally(() => {
      this.#looking = undefined;
    });
  }

  async #catchUp(): Promise<void> {
    const { events, ownLog, onLive, log } = this.#options;
    try {
      await ownLog.publish(); // what the ledger has is the beginning of the log, block for block
      const before = await events.scoredCount();
      const known = Math.max(this.#known, ownLog.entries);
      if (known > before) await this.#read(before, known);
      if (this.#closed || this.#state !== 'asking') return;
      if ((await events.scoredCount()) !== known || !(await ownLog.fits())) {
        this.#split('its ledger and its log do not say the same');
        return;
      }
      this.#state = 'live';
      this.#firstClaimAt = undefined;
      clearInterval(this.#timer);
      events.hold(undefined);
      log.info({ before, known }, 'this node knows all that others know of its score log');
      onLive();
    } catch (err) {
      if (this.#closed) return;
      this.#quietSince = performance.now(); // somebody who has the rest may come
      log.warn({ err }, 'what others know of this node’s score log could not be read yet');
    }
  }

  /** Books entries of the log after `from` up to `to`, fetched from whoever has them. */
  async #read(from: number, to: number): Promise<void> {
    const { events, ownLog, shelf, blockTimeoutMs } = this.#options;
    const source = await shelf.take(ownLog.key);
    for (let start = from; start < to && !this.#closed; start += PAGE) {
      const page: PastEvent[] = [];
      const upTo = Math.min(to, start + PAGE);
      let place = start;
      for await (const entry of source.read(start + 1, upTo, blockTimeoutMs * PAGE)) {
        page.push(this.#decode(entry, ++place));
      }
      await events.recover(page);
    }
  }

  #decode(entry: { key: string; value: unknown }, place: number): PastEvent {
    const decoded = decodeEntry(entry, place);
    if (!decoded) throw new Error(sentence(say('score.notOurs', { entry: place })));
    if (decoded.type === 'failure') return { ...decoded, place };
    const { receipt } = decoded;
    const fault =
      receipt.body.worker === this.#options.worker ? receiptFault(receipt, verify) : say('score.otherWorker');
    if (fault) throw new Error(sentence(say('score.forged', { entry: place, why: fault })));
    return decoded;
  }

  #split(why: string): void {
    const { events, onSplit, log } = this.#options;
    this.#state = 'split';
    clearInterval(this.#timer);
    events.hold(this.hindrance);
    log.error({ why }, 'another node runs with this identity: this one adds nothing to the score log any more');
    onSplit();
  }
}
