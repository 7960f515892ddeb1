import { LEAST_PRICE } from '../../../../../../src-preload/contract/market-names.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { Changes } from '../../../../../base/changes.ts';
import { Turns } from '../../../../../base/turns.ts';
import type { OfferRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { HeldBy } from '../../../focus/offered-recordings.ts';
import type { OfferView } from '../../wire.ts';
import { errorText } from '../kept-error.ts';
import { refused } from '../market-problems.ts';
import type { OfferedRecordings } from '../ports.ts';

export interface KeptOffersOptions {
  store: MarketOrderStore;
  recordings: OfferedRecordings;
  changes: Changes;
}

/** Of these nothing more is to be heard, unless something is owed. */
export const OVER = new Set<OfferRow['state']>(['rejected', 'withdrawn']);
/** Nothing of them has left this computer. */
const BEFORE = new Set<OfferRow['state']>(['prepared']);

/** Offers as they are written down; states of recordings follow those of their offers. */
export class KeptOffers {
  readonly #options: KeptOffersOptions;
  /** States of recordings follow one after the other. */
  readonly #turns = new Turns();

  constructor(options: KeptOffersOptions) {
    this.#options = options;
  }

  /** @throws BAD_REQUEST where there is none */
  async row(id: string): Promise<OfferRow> {
    const row = await this.#options.store.offer(id);
    if (row) return row;
    throw refused(say('trade.unknownOffer'), 'id');
  }

  async change(id: string, change: Parameters<MarketOrderStore['changeOffer']>[1]): Promise<void> {
    await this.#options.store.changeOffer(id, change);
    this.#options.changes.tell();
  }

  /** Work with an offer and the state of its recording, while neither follows the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(work);
  }

  /** Has the state of a recording follow those of its offers. */
  follow(recording: string): Promise<void> {
    const { store, recordings } = this.#options;
    return this.#turns.take(async () => recordings.follow(recording, heldBy(await store.offerStates(recording))));
  }

  /** Keeps what the market says of an offer. @returns whether anything is new */
  async keepTold(row: OfferRow, told: OfferView): Promise<boolean> {
    const { id: offer_id, state, score, price, reason } = told;
    const owed = JSON.stringify(told.owed);
    const isOver = isOverWish(row, price);
    const next = { offer_id, state, score, price: isOver ? null : price, reason, owed };
    const before = await this.row(row.id);
    const isNew = Object.entries(next).some(([name, value]) => before[name as keyof typeof next] !== value);
    if (!isNew) return false;
    await this.change(row.id, {
      ...next,
      changed_at: told.changedAt,
      error: isOver ? errorText(refused(say('trade.overWish'))) : null,
    });
    await this.follow(row.recording);
    return true;
  }
}

/** A market may ask for more than was wished only where that is less than its least price. */
function isOverWish({ wish }: OfferRow, price: string | null): boolean {
  if (wish === null || price === null || BigInt(price) <= BigInt(wish)) return false;
  return BigInt(price) > LEAST_PRICE;
}

/** How far a recording is in being sold, by all its offers. */
function heldBy(states: readonly OfferRow['state'][]): HeldBy {
  if (states.includes('purchased')) return 'sold';
  return states.some((state) => !OVER.has(state) && !BEFORE.has(state)) ? 'offered' : 'none';
}
