import { say } from '../../../../../../src-preload/contract/saying.ts';
import { ignoring } from '../../../../../base/swallowed.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { PurchaseView } from '../../wire.ts';
import { errorText } from '../kept-error.ts';
import { refused } from '../market-problems.ts';
import { pages } from '../pages.ts';
import type { OpenMarket } from '../ports.ts';
import type { KeptPurchases } from './kept-purchases.ts';

export interface PurchaseLocksOptions {
  kept: KeptPurchases;
  store: MarketOrderStore;
  marketOf: (row: PurchaseRow) => Promise<OpenMarket>;
  /** ss58 of a wallet's coldkey. */
  payer: (wallet: string) => Promise<string>;
  /** Whether somebody has paid it, without this program's word. */
  isPaid: (row: PurchaseRow) => Promise<boolean>;
  /** Unix milliseconds. */
  now: () => number;
}

/** Where a video is locked, and by whom. */
export interface Locking {
  market: OpenMarket;
  /** ss58 */
  from: string;
}

/** A lock of a market binds what may be spent in a day: no longer than this after it was asked for, whatever the market says. */
const LONGEST_LOCK_MS = 24 * 3_600_000;

/** When a lock that is asked for now ends by the terms that a market has told before, whatever it answers then. */
export const lockEnd = (now: number, lockMs: number): number => now + Math.floor(Math.min(lockMs, LONGEST_LOCK_MS));

/** Locks of videos, as markets tell of them: kept, looked for, let go. */
export class PurchaseLocks {
  readonly #options: PurchaseLocksOptions;
  /** Their market is told right now: by id. */
  readonly #reverting = new Set<string>();

  constructor(options: PurchaseLocksOptions) {
    this.#options = options;
  }

  /** Whether one is being given back: nobody begins to pay it then. */
  isReverting(id: string): boolean {
    return this.#reverting.has(id);
  }

  /** @throws BAD_REQUEST where the market locked something else than its list said, or for somebody else: then the lock is given back */
  async keep(row: PurchaseRow, told: PurchaseView, { market, from }: Locking): Promise<void> {
    const { kept, store } = this.#options;
    if (await store.isTaken(row.market, told.id)) throw refused(say('trade.orderTwice')); // it is the other's: not given back
    if (!isAsListed(row, told) || told.from !== from) {
      await market.client.revert(told.id, kept.signal).catch(ignoring('its lock ends by itself'));
      throw told.from === from
        ? refused(say('trade.otherLock'))
        : refused(say('trade.otherPayer', { from: told.from, own: from }), 'trade.hotkey');
    }
    const { id: order_id, sha256, bytes, from: pays_from, to: pays_to } = told;
    const locked_until = Math.min(told.lockedUntil, endOf(row));
    const lock = { order_id, sha256, bytes, pays_from, pays_to, locked_until };
    const done = await store.keepLock(row.id, lock);
    kept.tell();
    if (done === 'taken') throw refused(say('trade.orderTwice')); // at the same moment
  }

  /** Of a purchase that was begun before a crash, or whose answer was lost: looked for as long as it may last. */
  async find(row: PurchaseRow): Promise<boolean> {
    const { kept, marketOf, payer, now } = this.#options;
    const left = () => endOf(row) - now();
    const look = async () => (left() > 0 ? await this.#lockOf(row, await marketOf(row)) : undefined);
    const found = await kept.patiently(row.id, look, { longestMs: left });
    if (!found) {
      await kept.endLock(row.id, ['locking'], { state: 'expired', error: null });
      return false;
    }
    const [market, from] = [await marketOf(row), await payer(row.wallet)];
    await this.keep(row, found, { market, from }).catch(async (error: unknown) => {
      kept.signal.throwIfAborted();
      await kept.endLock(row.id, ['locking'], { state: 'refused', error: errorText(error) });
    });
    return true;
  }

  async untilItEnds({ id, locked_until: until }: PurchaseRow): Promise<boolean> {
    const { kept, isPaid, now } = this.#options;
    const row = await kept.whileTrue(id, ({ state }) => state === 'locked' && now() < (until ?? 0));
    if (row.state !== 'locked') return true;
    // Whoever paid without this page has paid, too.
    if (!(await isPaid(row))) await kept.endLock(id, ['locked'], { state: 'expired' });
    return true;
  }

  /** Gives one back that is not paid. @throws BAD_REQUEST where it is, or may be; what the market says */
  async revert(row: PurchaseRow): Promise<void> {
    const { kept, marketOf, isPaid } = this.#options;
    if (row.state !== 'locked' || row.order_id === null) throw refused(say('trade.notLocked'));
    this.#reverting.add(row.id); // before it is looked for a payment: from here on there is none
    try {
      if (await isPaid(row)) throw refused(say('trade.notLocked'));
      const { client } = await marketOf(row);
      await client.revert(row.order_id, kept.signal);
      await kept.endLock(row.id, ['locked'], { state: 'reverted', error: null });
    } finally {
      this.#reverting.delete(row.id);
    }
  }

  /** Forgets one that is not paid, without a word to the market, such as where that is gone. @throws BAD_REQUEST where it is, or may be */
  async drop(row: PurchaseRow): Promise<void> {
    const { kept, isPaid } = this.#options;
    if (row.state === 'locked' && (await isPaid(row))) throw refused(say('trade.notLocked'));
    const isEnded = await kept.endLock(row.id, ['locking', 'locked'], { state: 'reverted', error: null });
    if (!isEnded) throw refused(say('trade.notLocked'));
  }

  async #lockOf({ video }: PurchaseRow, { client }: OpenMarket): Promise<PurchaseView | undefined> {
    const { signal } = this.#options.kept;
    const own = pages(
      (before) => client.purchases(before, signal),
      ({ purchases }) => purchases,
    );
    for await (const page of own) {
      const found = page.find((one) => one.video === video && one.state === 'pending');
      if (found) return found;
    }
    return undefined;
  }
}

/** Whether it can be bought now, is what was chosen of the list, and is paid to whom that named. What an older version has kept of the list lacks some of it. */
function isAsListed({ video, price, bytes, pays_to: to }: PurchaseRow, told: PurchaseView): boolean {
  const isSame = told.state === 'pending' && told.video === video && told.price === price;
  return isSame && told.bytes === (bytes ?? told.bytes) && told.to === (to ?? told.to);
}

/** One of an older version has none before it is locked. */
const endOf = ({ locked_until: until, created_at: at }: PurchaseRow): number => until ?? lockEnd(at, LONGEST_LOCK_MS);
