import type { Logger } from 'pino';
import type { NonceMarkStore } from '../../../../bittensor/axon/nonces.ts';
import { openMark } from '../../../../bittensor/signed-requests/gate.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { Offer } from '../../../../store/market/market-rows.ts';
import { BY_TIME } from './actors.ts';
import { type MarketGate, marketNames } from './market-gate.ts';
import type { RejectedVideos } from './rejected-videos.ts';
import type { Sales } from './sales.ts';
import type { VideoFiles } from './video-files.ts';

/** Between two looks at locks: what a buyer waits longer than he was told, at most. */
const LOCKS_MS = 5_000;
/** Between two looks at all else. */
const REST_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** An upload that does not go on for so long is given up. */
const UPLOAD_MS = DAY_MS;
/** What was offered so long ago, and is not sold, is given up: whoever offered it may do so again. */
const OLDEST_MS = {
  uploading: 7 * DAY_MS,
  processing: 14 * DAY_MS,
  review: 30 * DAY_MS,
  submitted: 60 * DAY_MS,
} as const;
/** What came to nothing is forgotten so long after its end: a payment counts in the day after its lock, and the same content is known for as long. */
const PAST_MS = 30 * DAY_MS;
/** Who was away for so long may have missed that time is over: nothing that was sold or paid for is forgotten for a day then. */
const ABSENT_MS = 2 * DAY_MS;
/** What is left of a lock that ran out while there was no market. */
const GRACE_MS = 5 * 60_000;

export interface HousekeepingOptions {
  store: MarketStore;
  files: VideoFiles;
  sales: Sales;
  gate: Pick<MarketGate, 'forget'>;
  /** ss58 of whom it is, and when it was open last and forgets again. */
  market: string;
  marks: NonceMarkStore;
  rejected: Pick<RejectedVideos, 'forgetOld'>;
  /** How long after it was sold a video is kept, milliseconds. */
  keepMs: () => number;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/** What time brings: locks that end, files that nobody needs any more, rows of what came to nothing, nonces that are too old. A resource. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  /** After a crash, or a backup that was brought back: the files are as they are, and what is for sale has to be there. */
  async open(): Promise<void> {
    const { store, files, sales } = this.#options;
    await sales.extendLapsed(GRACE_MS);
    const offers = await store.withFile();
    for (const offer of offers) await this.#compare(offer, await files.bytesOf(offer.id));
    await files.removeOthers(new Set(offers.map(({ id }) => id)));
    await this.#noteAbsence();
    await this.#clean();
    this.#timers = [
      setInterval(() => this.#run(() => sales.endLapsed()), LOCKS_MS),
      setInterval(() => this.#run(() => this.#clean()), REST_MS),
    ];
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
  }

  #run(work: () => Promise<void>): void {
    const { log } = this.#options;
    this.#running = this.#running
      .then(work)
      .catch((err: unknown) => log.error({ err }, 'the market could not be tidied up'));
  }

  async #compare(offer: Offer, bytes: number): Promise<void> {
    const { id, state, nextByte } = offer;
    if (bytes >= nextByte) return;
    if (state === 'uploading' || state === 'processing') {
      await this.#options.store.examined.forget(id);
      return this.#set(id, { state: 'uploading', nextByte: bytes });
    }
    if (state === 'purchased' || state === 'rejected') return this.#set(id, { nextByte: 0 });
    if (state === 'purchasePending')
      this.#options.log.error({ offer: id }, 'the file of a video that is being sold is gone');
    else await this.#set(id, { state: 'withdrawn', nextByte: 0, reason: 'The market has lost its bytes.' });
  }

  /** While there was no market, nobody could tell it of a payment, or fetch what he bought. */
  async #noteAbsence(): Promise<void> {
    const { marks, market, now } = this.#options;
    const wasOpen = await marks.load(openMark(marketNames(market)));
    if (wasOpen > 0 && now() - wasOpen > ABSENT_MS) await marks.raise(forgetMark(market), now() + DAY_MS);
  }

  async #clean(): Promise<void> {
    const { store, gate, rejected, marks, market, now } = this.#options;
    if (now() >= (await marks.load(forgetMark(market)))) await this.#forget();
    for (const { id, changedAt } of await store.inState('uploading')) {
      if (changedAt >= now() - UPLOAD_MS) break;
      await this.#giveUp(id, 'The upload did not go on.');
    }
    for (const [state, oldestMs] of Object.entries(OLDEST_MS) as [keyof typeof OLDEST_MS, number][]) {
      for (const { id } of await store.offeredBefore(state, now() - oldestMs))
        await this.#giveUp(id, `It was not sold within ${oldestMs / DAY_MS} days: offer it again.`);
    }
    for (const { id } of await store.overtaken()) await this.#giveUp(id, 'Another offer of this video came first.');
    await rejected.forgetOld();
    await gate.forget();
  }

  async #forget(): Promise<void> {
    const { store, files, keepMs, now } = this.#options;
    for (const { id } of await store.soldBefore(now() - keepMs())) {
      await this.#set(id, { nextByte: 0 });
      await files.remove(id);
    }
    await store.past.forget(now() - PAST_MS);
  }

  /** Unless it was sold meanwhile, or somebody pays for it. */
  async #giveUp(id: string, reason: string): Promise<void> {
    const { store, files, now } = this.#options;
    const isGone = await store.change(async (all) => {
      const state = (await all.offer(id))?.state;
      if (state === undefined || !(state in OLDEST_MS)) return false;
      await all.setOffer(id, { state: 'withdrawn', nextByte: 0, reason }, BY_TIME, now());
      return true;
    });
    if (!isGone) return;
    await store.examined.forget(id);
    await files.remove(id);
  }

  #set(id: string, change: Partial<Offer>): Promise<void> {
    const { store, now } = this.#options;
    return store.change((all) => all.setOffer(id, change, BY_TIME, now()));
  }
}

/** Beside that of the gate. */
const forgetMark = (market: string) => `${openMark(marketNames(market))} forgets`;
