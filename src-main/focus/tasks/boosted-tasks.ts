import { setTimeout as pause } from 'node:timers/promises';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { BoostedState } from '../../../src-preload/contract/focus-tasks.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { errorView } from '../../base/error-view.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { Verify } from '../../base/signing.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { FocusTaskStore } from '../../store/focus/focus-tasks.ts';
import { type BoostedTask, isNewerList, readBoostedList } from './boosted-list.ts';
import { fetchList } from './fetch-list.ts';

export interface BoostedTasksOptions {
  store: Pick<FocusTaskStore, 'list' | 'keepList'>;
  verify: Verify;
  /** Where the list comes from, and who signs it. Read anew. */
  source: () => { address: string | undefined; key: string | undefined };
  /** Default: the platform’s. */
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. Default: the clock. */
  now?: () => number;
}

/** Looked at again after so long. */
const FRESH_MS = 3_600_000;
const PATIENCE_MS = 2_000;

/** Tasks of a signed list, with a multiplier. The list outlives the node, and so does its number: an older one never takes its place. */
export class BoostedTasks {
  readonly #options: BoostedTasksOptions;
  readonly #now: () => number;
  readonly #looks = new SharedWork<void>();
  /** Of the address that was looked at last. */
  #looked: { address: string; key: string; at: number; error?: QuarryError } | undefined;

  constructor(options: BoostedTasksOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Those whose time is not over. */
  async tasks(): Promise<BoostedTask[]> {
    const list = await this.#list();
    return list?.tasks.filter(({ validUntil }) => validUntil > this.#now()) ?? [];
  }

  /** One of the list, also after its time: who recorded it until then offers it later. */
  async find(id: string): Promise<BoostedTask | undefined> {
    return (await this.#list())?.tasks.find((task) => task.id === id);
  }

  async state(): Promise<BoostedState> {
    const { address, key } = this.#options.source();
    const kept = key === undefined ? undefined : await this.#options.store.list(key);
    const error = this.#looked?.address === address && this.#looked?.key === key ? this.#looked?.error : undefined;
    return {
      address: address ?? null,
      number: kept?.number ?? null,
      takenAt: kept?.takenAt ?? null,
      ...(error && { error: errorView(error) }),
    };
  }

  /** Looks, unless it has in the last hour; a slow answer is waited for no longer than two seconds, and comes later. What goes wrong is told by {@link state}. */
  async lookIfStale(signal: AbortSignal): Promise<void> {
    const { address, key } = this.#options.source();
    if (address === undefined || key === undefined) return;
    const { at, ...last } = this.#looked ?? { at: Number.NEGATIVE_INFINITY, address: '', key: '' };
    if (last.address === address && last.key === key && at + FRESH_MS > this.#now()) return;
    const looked = this.look(signal).catch(ignoring('the node ends'));
    await Promise.race([
      looked,
      pause(PATIENCE_MS, undefined, { signal, ref: false }).catch(ignoring('the node ends')),
    ]);
  }

  /** Fetches the list now, once for all who ask. What goes wrong is told by {@link state}. @throws BAD_REQUEST where the settings name none */
  async look(signal: AbortSignal): Promise<void> {
    const { address, key } = this.#options.source();
    if (address === undefined || key === undefined) throw noAddress();
    await this.#looks.take(`${key} ${address}`, () => this.#look(address, key, signal));
  }

  async #look(address: string, key: string, signal: AbortSignal): Promise<void> {
    const at = this.#now();
    try {
      const { fetch, store, verify } = this.#options;
      const bytes = await fetchList(address, { signal, ...(fetch && { fetch }) });
      const list = readBoostedList(bytes, key, verify);
      const text = Buffer.from(bytes).toString('utf8');
      if (isNewerList(list, await this.#list(key)))
        await store.keepList(key, { number: list.number, text, takenAt: at });
      this.#looked = { address, key, at };
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      this.#looked = { address, key, at, error };
    }
  }

  /** The one that was taken last; it is checked again, for a database may be anybody’s. */
  async #list(key = this.#options.source().key) {
    const kept = key === undefined ? undefined : await this.#options.store.list(key);
    return kept && key !== undefined ? readBoostedList(Buffer.from(kept.text), key, this.#options.verify) : undefined;
  }
}

const noAddress = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focusTasks.noAddress'),
    hint: say('focusTasks.noAddress.hint'),
  });
