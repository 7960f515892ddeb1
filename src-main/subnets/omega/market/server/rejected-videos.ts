import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { Offer } from '../../../../store/market/market-rows.ts';
import type { MarketTerms } from '../rules/terms.ts';
import { BY_TIME } from './actors.ts';
import type { VideoFiles } from './video-files.ts';

/** Of one seller: the oldest give way. */
const MOST_OF_ONE = 5;

export interface RejectedVideosOptions {
  store: Pick<MarketStore, 'rejectedWithFile' | 'change'>;
  files: VideoFiles;
  terms: Pick<MarketTerms, 'appealMs'>;
  /** Unix milliseconds. */
  now: () => number;
}

/** Videos that the market’s model rejected: kept for as long as their sellers may appeal, and first to give way. */
export class RejectedVideos {
  readonly #options: RejectedVideosOptions;

  constructor(options: RejectedVideosOptions) {
    this.#options = options;
  }

  /** After one more of a seller. */
  async trim(seller: string): Promise<void> {
    const own = (await this.#options.store.rejectedWithFile()).filter((offer) => offer.seller === seller);
    await this.#drop(own.slice(0, Math.max(0, own.length - MOST_OF_ONE)));
  }

  /** Those that nobody can appeal any more. */
  async forgetOld(): Promise<void> {
    const { store, terms, now } = this.#options;
    const before = now() - terms.appealMs;
    await this.#drop((await store.rejectedWithFile()).filter(({ changedAt }) => changedAt < before));
  }

  /** The disk is full: others need the room. */
  async giveWay(): Promise<void> {
    await this.#drop(await this.#options.store.rejectedWithFile());
  }

  /** Unless a person is to look at it by now. */
  async #drop(offers: readonly Offer[]): Promise<void> {
    const { store, files, now } = this.#options;
    for (const { id } of offers) {
      const dropped = await store.change(async (change) => {
        if ((await change.offer(id))?.state !== 'rejected') return false;
        await change.setOffer(id, { nextByte: 0 }, BY_TIME, now());
        return true;
      });
      if (dropped) await files.remove(id);
    }
  }
}
