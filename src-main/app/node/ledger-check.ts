import type { Logger } from 'pino';
import type { LedgerCheckReport, LedgerReport } from '../../../src-preload/contract/credits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

/** Milliseconds after the start before a node that ended well is looked through: it has better to do at first. */
const LATER_MS = 120_000;

export interface LedgerCheckOptions {
  /** The node before did not come to its end: it is looked through at once. */
  unclean: boolean;
  /** Reads the database file through; undefined where that has just been done. @throws DATABASE_CORRUPT */
  checkFile: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Proves the ledger, a little at a time. @param onRead how many entries of how many were read */
  prove: (signal: AbortSignal, onRead: (read: number, entries: number) => void) => Promise<LedgerReport>;
  /** Everything was found in order. */
  onSound: () => void;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  /** Default {@link LATER_MS}. */
  laterMs?: number;
  log: Logger;
}

/**
 * Looks the database and the ledger through while the node works: a start reads no more than it needs, however long the ledger is. A
 * resource.
 */
export class LedgerCheck {
  readonly #options: LedgerCheckOptions;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #current: LedgerCheckReport;

  constructor(options: LedgerCheckOptions) {
    const { unclean, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#current = { state: 'waiting', since: now(), unclean, read: 0, entries: 0, problems: [] };
  }

  /** Idempotent. */
  open(): void {
    const { unclean, laterMs = LATER_MS } = this.#options;
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setTimeout(
      () => {
        this.#running = this.#run();
      },
      unclean ? 0 : laterMs,
    ).unref();
  }

  /** How it stands. */
  current(): LedgerCheckReport {
    return this.#current;
  }

  /** Ends a look that is under way. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { checkFile, prove, onSound, log } = this.#options;
    this.#become({ state: 'running' });
    try {
      await checkFile?.(signal);
      const report = await prove(signal, (read, entries) => this.#become({ read, entries }));
      const { ok, entries, problems, said } = report;
      this.#become({ state: ok ? 'sound' : 'damaged', read: entries, entries, problems, said });
      if (ok) onSound();
      else log.error({ problems }, 'the ledger is damaged: see docs/credits.md, Repair');
    } catch (error) {
      if (!signal.aborted) this.#failed(QuarryError.from(error));
    }
  }

  #failed(error: QuarryError): void {
    const damaged = error.code === 'DATABASE_CORRUPT';
    const { message } = error.said ?? {};
    this.#become({ state: damaged ? 'damaged' : 'failed', problems: [error.message], said: message && { 0: message } });
    this.#options.log.error({ err: error }, damaged ? 'the database is damaged' : 'the ledger could not be checked');
  }

  #become(change: Partial<LedgerCheckReport>): void {
    const since = change.state === undefined ? this.#current.since : this.#now();
    this.#current = { ...this.#current, ...change, since };
  }
}
