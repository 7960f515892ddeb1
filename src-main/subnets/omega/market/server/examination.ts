import type { Logger } from 'pino';
import { TaskSet } from '../../../../base/task-set.ts';
import { Turns } from '../../../../base/turns.ts';
import type { MarketStore } from '../../../../store/focus-market.ts';
import type { Offer } from '../../../../store/market-rows.ts';
import { combinedScore } from '../../focus/second-opinion.ts';
import { points, priceOf } from '../rules/price.ts';
import type { MarketTerms } from '../rules/terms.ts';
import { type OfferedTask, proofOf, proofText, taskOf } from './proof.ts';
import type { RejectedVideos } from './rejected-videos.ts';
import type { VideoFiles } from './video-files.ts';

/** What a market finds of a video that it scores. */
export interface MarketScore {
  /** 0 to 1. */
  score: number;
  /** In English, for the seller: why it is so. */
  reason: string;
  /** A person of the market looks at it first. */
  review: boolean;
}

/** Scores a video. @throws where it cannot now: it is tried again with the next start */
export type ScoreVideo = (file: string, task: OfferedTask, signal: AbortSignal) => Promise<MarketScore>;

/** What is wrong with a file as a video, in a sentence for its seller. */
export class NoVideo extends Error {}

/** Reads a file of a stranger, in a process of its own. @throws NoVideo; what keeps it from being read */
export type CheckVideo = (file: string, signal: AbortSignal) => Promise<{ durationMs: number }>;

/** What a person of the market decides. */
export interface MarketWord {
  accept: boolean;
  /** 0 to 1; default the one that it has. Without effect where it is refused. */
  score?: number | undefined;
  /** For the seller. */
  reason: string;
}

export interface ExaminationOptions {
  store: MarketStore;
  files: VideoFiles;
  terms: MarketTerms;
  rejected: Pick<RejectedVideos, 'trim'>;
  checkVideo: CheckVideo;
  /** Undefined while nobody scores: then videos wait. */
  score: ScoreVideo | undefined;
  /** Rao that miners get for videos in a day. */
  pool: () => bigint;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/** Who wanted a change, in the log. */
const MARKET = 'market';
const PERSON = 'person';
const SEEN = 'A person of the market has looked at it.';
/** A file’s own word on its length may be so far from what its seller said. */
const TOLERANCE_MS = 2_000;

/** Looks at what was uploaded, one video after the other: its hash, its shape, its score, and so its price. Nothing is listed without a score. A resource. */
export class Examination {
  readonly #options: ExaminationOptions;
  readonly #turns = new Turns();
  readonly #tasks = new TaskSet();
  readonly #closing = new AbortController();
  #current: { id: string; ending: AbortController } | undefined;

  constructor(options: ExaminationOptions) {
    this.#options = options;
  }

  /** Takes up again what was waiting. */
  async open(): Promise<void> {
    for (const { id } of await this.#options.store.inState('processing')) this.begin(id);
  }

  begin(id: string): void {
    const work = this.#turns.take(() => this.#examine(id));
    void this.#tasks.add(
      work.catch((err: unknown) => this.#options.log.error({ err, offer: id }, 'a video could not be looked at')),
    );
  }

  /** Nobody need look at it any more. */
  forget(id: string): void {
    if (this.#current?.id === id) this.#current.ending.abort();
  }

  /** Resolves when nothing is looked at. */
  ended(): Promise<void> {
    return this.#tasks.ended();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#tasks.ended();
  }

  /** A person of the market has looked at it: from here on nobody looks again. @returns why that does not count */
  async judge(id: string, { accept, score, reason }: MarketWord): Promise<'notWaiting' | 'tooLittle' | undefined> {
    const { store, terms } = this.#options;
    const offer = await store.offer(id);
    if (offer?.state !== 'review') return 'notWaiting';
    if (!accept) await this.#reject({ ...offer, reason }, PERSON);
    else {
      const worth = score ?? offer.score ?? 0;
      if (worth < terms.leastScore) return 'tooLittle';
      await this.#list({ ...offer, score: worth, reason: reason || SEEN }, PERSON);
    }
    return undefined;
  }

  async #examine(id: string): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#closing.signal]);
    this.#current = { id, ending };
    try {
      const offer = await this.#options.store.offer(id);
      if (offer?.state !== 'processing' || signal.aborted) return;
      await this.#look(offer, signal);
    } catch (error) {
      if (signal.aborted) return;
      await this.#set({ id, reason: 'It could not be looked at, and will be tried again.' }, MARKET);
      throw error;
    } finally {
      this.#current = undefined;
    }
  }

  async #look(offer: Offer, signal: AbortSignal): Promise<void> {
    const { files, score } = this.#options;
    if ((await files.sha256(offer.id, signal)) !== offer.sha256) return this.#uploadAgain(offer);
    const wrong = await this.#wrongWith(offer, signal);
    if (wrong !== undefined) return this.#reject({ ...offer, reason: wrong }, MARKET);
    if (!score) return this.#set({ id: offer.id, reason: 'It waits for a score.' }, MARKET);
    await this.#scored(offer, await score(files.of(offer.id), taskOf(offer), signal));
  }

  async #wrongWith({ id, durationMs }: Offer, signal: AbortSignal): Promise<string | undefined> {
    const { checkVideo, files } = this.#options;
    try {
      const found = await checkVideo(files.of(id), signal);
      const isAsSaid = Math.abs(found.durationMs - durationMs) <= TOLERANCE_MS;
      return isAsSaid ? undefined : `The video has ${found.durationMs} ms, and not ${durationMs}.`;
    } catch (error) {
      if (error instanceof NoVideo) return error.message;
      throw error;
    }
  }

  /** Of the market’s score and that of the seller the lower one counts; what is worth too little is refused, whoever says so. */
  async #scored(before: Offer, { review, ...scored }: MarketScore): Promise<void> {
    const { score: own, reason } = scored;
    if (!(own >= 0 && own <= 1)) throw new Error(`A score is 0 to 1, and not ${own}.`);
    const proof = proofOf(before);
    const { score, doubted } = combinedScore(own, proof.ownScore ?? own);
    const offer = { ...before, score, reason, proof: proofText({ ...proof, scored }) };
    if (score < this.#options.terms.leastScore) return this.#reject(offer, MARKET);
    // That it is for a task of the market itself, which pays more, only its seller says: a person looks.
    const isForPerson = review || doubted || offer.kind === 'marketplace';
    if (isForPerson) return this.#set({ ...offer, state: 'review' }, MARKET);
    await this.#list(offer, MARKET);
  }

  /** From here on its price stands. */
  async #list(offer: Offer, by: string): Promise<void> {
    const { store, terms, pool, now } = this.#options;
    const { kind, durationMs, wish, score } = offer;
    const at = now();
    const beside = await store.listedSince(kind, at - terms.windowMs);
    const others = beside.reduce((sum, one) => sum + points(one), 0);
    const price = priceOf({ kind, durationMs, wish, score: score ?? 0 }, { pool: pool(), others }, terms);
    await this.#set({ ...offer, state: 'submitted', price, listedAt: at }, by);
  }

  /** What the market’s model rejected is kept for a while: its seller may have a person look. */
  async #reject(offer: Offer, by: string): Promise<void> {
    const { files, rejected } = this.#options;
    const isKept = by === MARKET && offer.score !== null;
    await this.#set({ ...offer, state: 'rejected', ...(!isKept && { nextByte: 0 }) }, by);
    if (isKept) await rejected.trim(offer.hotkey);
    else await files.remove(offer.id);
  }

  async #uploadAgain({ id }: Offer): Promise<void> {
    await this.#options.files.remove(id);
    const reason = 'The bytes are not those of its SHA-256: upload it again.';
    await this.#set({ id, state: 'uploading', nextByte: 0, reason }, MARKET);
  }

  /** Unless it was withdrawn meanwhile. */
  async #set({ id, ...change }: Pick<Offer, 'id'> & Partial<Offer>, by: string): Promise<void> {
    const { store, now } = this.#options;
    await store.change(async (all) => {
      const state = (await all.offer(id))?.state;
      if (state === 'processing' || state === 'review') await all.setOffer(id, change, by, now());
    });
  }
}
