import { join } from 'node:path';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { makeFolder } from '../../../../../base/folder.ts';
import { Places } from '../../../../../base/places.ts';
import type { PurchaseRow } from '../../../../../store/market/market-order-tables.ts';
import type { OpenMarket } from '../ports.ts';
import { fetchVideo } from './download.ts';
import type { KeptPurchases } from './kept-purchases.ts';

export interface PurchaseDownloadsOptions {
  kept: KeptPurchases;
  marketOf: (row: PurchaseRow) => Promise<OpenMarket>;
  /** For videos. */
  folder: string;
}

/** Fetches videos that were bought, several at once. */
export class PurchaseDownloads {
  readonly #options: PurchaseDownloadsOptions;
  /** Bytes of videos that are fetched now: those that are there, and those that come still. */
  readonly #received = new Map<string, number>();
  readonly #missing = new Map<string, number>();
  /** Tries to fetch one: two of a market. */
  readonly #places = new Places(4);

  constructor(options: PurchaseDownloadsOptions) {
    this.#options = options;
  }

  /** Bytes that are here of one that is being fetched; 0 of any other. */
  received(id: string): number {
    return this.#received.get(id) ?? 0;
  }

  async fetch(row: PurchaseRow): Promise<boolean> {
    const { kept, marketOf, folder } = this.#options;
    const { id, order_id: purchase, sha256, bytes } = row;
    if (purchase === null || sha256 === null || bytes === null) return false;
    await makeFolder(folder, 0o700);
    const path = join(folder, `${id}.webm`);
    const { client } = await marketOf(row);
    const onBytes = (received: number) => {
      this.#received.set(id, received);
      this.#missing.set(id, bytes - received);
    };
    const inTurn = (work: () => Promise<void>) => this.#places.take(work, { party: row.market, signal: kept.signal });
    const othersNeed = () =>
      [...this.#missing].reduce((sum, [other, missing]) => (other === id ? sum : sum + missing), 0);
    const wanted = { ...{ purchase, sha256, bytes, path, onBytes, inTurn, othersNeed }, ...kept.waiting(id) };
    await fetchVideo(client, wanted, kept.signal)
      .catch(async (error: unknown) => {
        // The same again with every start would be as many bytes as the market likes.
        if (error instanceof QuarryError && error.code === 'PROTOCOL') await kept.change(id, { rests: 1 });
        throw error;
      })
      .finally(() => {
        this.#received.delete(id);
        this.#missing.delete(id);
      });
    await kept.change(id, { state: 'fetched', file: path, error: null });
    return true;
  }
}
