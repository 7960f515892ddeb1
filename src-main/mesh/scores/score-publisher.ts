import type Corestore from 'corestore';
import type { Logger } from 'pino';
import { Turns } from '../../base/turns.ts';
import { signEvidence } from '../transport/envelope.ts';
import type { Identity } from '../transport/identity.ts';
import type { LogShelf } from './log-shelf.ts';
import type { ScoreAuditor } from './score-auditor.ts';
import type { ScoreBoard } from './score-board.ts';
import { type ScoredEvents, ScoreLog } from './score-log.ts';
import type { ScoreUpdate } from './score-messages.ts';

export interface ScorePublisherOptions {
  identity: Identity;
  store: Corestore;
  shelf: LogShelf;
  board: ScoreBoard;
  auditor: ScoreAuditor;
  /** Where this node's own score comes from. */
  events: ScoredEvents & {
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

  private constructor(options: ScorePublisherOptions, ownLog: ScoreLog) {
    this.#options = options;
    this.#ownLog = ownLog;
    this.#stopListening = options.events.onScored(() => this.#schedule());
    this.#schedule();
  }

  static async open(options: ScorePublisherOptions): Promise<ScorePublisher> {
    return new ScorePublisher(options, await ScoreLog.open(options));
  }

  /** Public key of this node's own log, 64 hex. */
  get logKey(): string {
    return this.#ownLog.key;
  }

  /** Waits for what is being written. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#turns.ended();
    await this.#ownLog.close();
  }

  /** At once, or when the last claim is old enough. */
  #schedule(): void {
    if (this.#timer || this.#closed) return;
    const { everyMs, now } = this.#options;
    const waitMs = Math.min(everyMs, Math.max(0, this.#publishedAt + everyMs - now()));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#publishedAt = now();
      void this.#turns.take(() => this.#publish());
    }, waitMs);
  }

  async #publish(): Promise<void> {
    const { identity, board, auditor, onClaim, log } = this.#options;
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
