import type { Logger } from 'pino';
import { Turns } from '../../base/turns.ts';
import { signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { LogShelf } from './log-shelf.ts';
import type { ScoreAuditor } from './score-auditor.ts';
import type { ScoreBoard } from './score-board.ts';
import type { ScoreLog } from './score-log.ts';
import type { ScoreUpdate } from './score-messages.ts';

export interface ScorePublisherOptions {
  identity: Identity;
  ownLog: ScoreLog;
  /** Whether the log may be appended to now; {@link ScorePublisher.publishSoon} when it may be again. */
  isLive: () => boolean;
  shelf: LogShelf;
  board: ScoreBoard;
  auditor: ScoreAuditor;
  /** Where this node's own score comes from. */
  events: {
    /** @returns how to stop it */
    onScored(listener: () => void): () => void;
  };
  /** Shortest time between two claims, in milliseconds. */
  everyMs: number;
  now: () => number;
  /** This node claims a new total. */
  onClaim: (claim: ScoreUpdate) => void;
  log: Logger;
}

/** Keeps this node's own score log up to date with its ledger, and claims what it proves. A resource. */
export class ScorePublisher {
  readonly #options: ScorePublisherOptions;
  readonly #ownLog: ScoreLog;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #publishedAt = Number.NEGATIVE_INFINITY;
  readonly #turns = new Turns();
  #closed = false;

  constructor(options: ScorePublisherOptions) {
    this.#options = options;
    this.#ownLog = options.ownLog;
    this.#stopListening = options.events.onScored(() => this.publishSoon());
    this.publishSoon();
  }

  /** Waits for what is being written; the log is open until then. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#turns.ended();
  }

  /** At once, or when the last claim is old enough. */
  publishSoon(): void {
    const { everyMs, now, isLive } = this.#options;
    if (this.#timer || this.#closed || !isLive()) return;
    const waitMs = Math.min(everyMs, Math.max(0, this.#publishedAt + everyMs - now()));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#publishedAt = now();
      void this.#turns.take(() => this.#publish());
    }, waitMs);
  }

  async #publish(): Promise<void> {
    const { identity, board, auditor, isLive, onClaim, log } = this.#options;
    if (!isLive()) return;
    try {
      const entries = await this.#ownLog.publish();
      const followed = board.follow(identity.id, this.#ownLog.key);
      if (entries === 0 || this.#closed || followed.claim?.seq === entries) return;
      // Proven as others will prove it: this node never claims what its log does not hold.
      const fault = await auditor.prove(followed, entries);
      if (fault) {
        log.error({ fault }, 'this node’s own score log does not hold: nothing is claimed');
        return;
      }
      const claim = await this.#sign(entries, followed.proven.state.total);
      board.accept(followed, claim);
      onClaim(claim);
    } catch (error) {
      if (!this.#closed) log.error({ err: error }, 'the score could not be published');
    }
  }

  async #sign(seq: number, total: number): Promise<ScoreUpdate> {
    const { identity, shelf, now } = this.#options;
    const logKey = this.#ownLog.key;
    const receiptsRoot = await (await shelf.take(logKey)).root(seq);
    if (receiptsRoot === undefined) throw new Error(`The own log lacks entry ${seq}.`);
    const claim = { type: 'score-update' as const, workerId: identity.id, total, seq, receiptsRoot, logKey };
    return signEvidence<ScoreUpdate>(claim, identity, now());
  }
}
