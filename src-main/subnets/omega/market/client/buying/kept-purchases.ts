import type { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import { type BackOff, backOffMs } from '../../../../../base/back-off.ts';
import { Changes } from '../../../../../base/changes.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import type { LockEnd, LockState, MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import { errorText } from '../kept-error.ts';
import { refused } from '../market-problems.ts';
import { type Patience, patiently } from '../patience.ts';

export interface KeptPurchasesOptions {
  store: MarketOrderStore;
  changes: Changes;
  /** Between tries, and between looks at what is owed. */
  between?: BackOff | undefined;
  /** Ends all waiting. */
  signal: AbortSignal;
}

/** What comes next of a purchase; false where it rests, until somebody or something moves it. */
export type Step = (row: PurchaseRow) => Promise<boolean>;

/** A lock's end is noticed within so long. */
const LOOK_MS = 5_000;
const LONGEST_PAUSE_MS = 24 * 3_600_000;
const OWED_LOOKS: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** Purchases as they are written down, and how one waits for what comes of them. */
export class KeptPurchases {
  readonly #options: KeptPurchasesOptions;
  readonly #hurry = new Changes();

  constructor(options: KeptPurchasesOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** @throws BAD_REQUEST where there is none */
  async row(id: string): Promise<PurchaseRow> {
    const row = await this.#options.store.purchase(id);
    if (row) return row;
    throw refused(say('trade.unknownPurchase'), 'id');
  }

  async change(id: string, change: Parameters<MarketOrderStore['changePurchase']>[1]): Promise<void> {
    await this.#options.store.changePurchase(id, change);
    this.tell();
  }

  /** As {@link MarketOrderStore.endLock}. */
  async endLock(id: string, from: readonly LockState[], end: LockEnd): Promise<boolean> {
    const isEnded = await this.#options.store.endLock(id, from, end);
    this.tell();
    return isEnded;
  }

  tell(): void {
    this.#options.changes.tell();
  }

  /** What waits for its next try has it now, however long a market has sent it away. */
  hurry(): void {
    this.#hurry.tell();
  }

  /** Waits as long as something is so: looked at with every change. */
  async whileTrue(id: string, is: (row: PurchaseRow) => boolean): Promise<PurchaseRow> {
    const { changes, signal } = this.#options;
    for (;;) {
      const { count } = changes;
      const row = await this.row(id);
      if (!is(row)) return row;
      await changes.after(count, signal, LOOK_MS);
      signal.throwIfAborted();
    }
  }

  /** Tries until it succeeds; why it waits is kept beside the purchase. @throws as {@link patiently} */
  patiently<T>(id: string, work: () => Promise<T>, limits: Pick<Patience, 'longestMs'> = {}): Promise<T> {
    return patiently(work, this.signal, { ...this.waiting(id), ...limits });
  }

  /** How one waits for a purchase: see {@link patiently}. */
  waiting(id: string) {
    const { between } = this.#options;
    const onWait = (error: QuarryError) => this.change(id, { error: errorText(error) });
    return { onWait, sooner: this.#hurry, ...(between && { between }) };
  }

  /** Waits before the next look at what a market owes. @param looks so many there were */
  async pauseOwed(looks: number): Promise<void> {
    const { between = OWED_LOOKS, signal } = this.#options;
    await this.#hurry.after(this.#hurry.count, signal, Math.min(backOffMs(looks, between), LONGEST_PAUSE_MS));
    signal.throwIfAborted();
  }
}
