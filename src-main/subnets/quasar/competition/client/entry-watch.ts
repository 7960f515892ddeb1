import type { Logger } from 'pino';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { type BackOff, backOffMs } from '../../../../base/back-off.ts';
import { Changes } from '../../../../base/changes.ts';
import type { CompetitionEntryStore, EntryRow } from '../../../../store/competition-entries.ts';
import { lastSeen } from './believed.ts';
import type { Entries } from './entries.ts';

export interface EntryWatchOptions {
  store: Pick<CompetitionEntryStore, 'open' | 'get'>;
  entries: Pick<Entries, 'commit' | 'look'>;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** Between two looks at what is judged, and at most between any two; milliseconds. */
  everyMs?: number;
  /** Before it is asked whether something can be revealed now, at least. Milliseconds. */
  soonMs?: number;
  /** After failures. */
  between?: BackOff;
}

const EVERY_MS = 60_000;
const SOON_MS = 3_000;
const BETWEEN: BackOff = { firstMs: 5_000, longestMs: 10 * 60_000 };

/**
 * Looks after own submissions for as long as a node runs: sends commitments that a killed node did not get through with, reveals what can be revealed, and asks how the others stand. One
 * after the other; what fails is tried again later and later, or when the server says. A resource.
 */
export class EntryWatch {
  readonly #options: EntryWatchOptions;
  readonly #sooner = new Changes();
  readonly #closing = new AbortController();
  /** By entry: when it is looked at next, Unix milliseconds, and failures in a row. */
  readonly #plan = new Map<string, { at: number; failures: number }>();
  #running: Promise<void> | undefined;

  constructor(options: EntryWatchOptions) {
    this.#options = options;
  }

  open(): void {
    this.#running ??= this.#run();
  }

  /** There is something new to look after. */
  wake(): void {
    this.#sooner.tell();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { count } = this.#sooner;
      const wait = await this.#round(signal).catch((err: unknown) => {
        this.#options.log.warn({ err }, 'submissions to competitions cannot be looked after');
        return this.#everyMs;
      });
      await this.#sooner.after(count, signal, wait);
    }
  }

  /** @returns milliseconds until the next one is due */
  async #round(signal: AbortSignal): Promise<number> {
    const open = await this.#options.store.open();
    for (const id of this.#plan.keys()) if (!open.some((row) => row.id === id)) this.#plan.delete(id);
    for (const row of open) {
      if (signal.aborted) break;
      if ((this.#plan.get(row.id)?.at ?? 0) <= this.#now()) await this.#look(row, signal);
    }
    const next = Math.min(...[...this.#plan.values()].map(({ at }) => at - this.#now()));
    return Math.max(0, Math.min(this.#everyMs, next));
  }

  async #look(row: EntryRow, signal: AbortSignal): Promise<void> {
    const { entries, log, between = BETWEEN } = this.#options;
    const failures = (this.#plan.get(row.id)?.failures ?? 0) + 1;
    try {
      await (row.step === 'sending' ? entries.commit(row.id, signal) : entries.look(row.id, signal));
      this.#plan.set(row.id, { at: this.#now() + (await this.#untilNext(row.id)), failures: 0 });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = QuarryError.from(thrown);
      const wait = Math.max(error.retryAfterMs ?? 0, backOffMs(failures, between));
      this.#plan.set(row.id, { at: this.#now() + wait, failures });
      log.warn({ err: error, submission: row.id }, 'a submission to a competition does not get on');
    }
  }

  /** What waits to be revealed is asked about as soon as that may be. */
  async #untilNext(id: string): Promise<number> {
    const row = await this.#options.store.get(id);
    const view = row && lastSeen(row)?.view;
    if (view?.state !== 'committed') return this.#everyMs;
    return Math.min(this.#everyMs, Math.max(this.#options.soonMs ?? SOON_MS, view.aboutMs));
  }

  get #everyMs(): number {
    return this.#options.everyMs ?? EVERY_MS;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
