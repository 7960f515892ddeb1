import type { Logger } from 'pino';
import { TaskSet } from '../../../../base/task-set.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { KeptScore } from '../../../../store/market/market-examinations.ts';
import type { Offer } from '../../../../store/market/market-rows.ts';
import { combinedScore } from '../../focus/second-opinion.ts';
import { points, priceOf } from '../rules/price.ts';
import type { MarketTerms } from '../rules/terms.ts';
import { BY_MARKET, BY_PERSON } from './actors.ts';
import { type Known, KnownContent } from './known-content.ts';
import type { Pictures } from './likeness.ts';
import { proofOf, proofText } from './proof.ts';
import type { RejectedVideos } from './rejected-videos.ts';
import type { VideoFiles } from './video-files.ts';
import { Waiting } from './waiting.ts';

/** What a market finds of a video that it scores. */
export interface MarketScore {
  /** 0 to 1. */
  score: number;
  /** In English, for the seller: why it is so. */
  reason: string;
  /** A person of the market looks at it first. */
  review: boolean;
  /** Not of its pictures alone: when it is offered again, it is scored again. Default false. */
  mayChange?: boolean;
}

/** Scores a video. @throws NoVideo, VideoFailed; where it cannot now: it is tried again with the next start */
export type ScoreVideo = (file: string, offer: Offer, signal: AbortSignal) => Promise<MarketScore>;

/** What is wrong with a file as a video, in a sentence for its seller. */
export class NoVideo extends Error {}

/** What was to read a file died over it, or took too long: that may be the file’s fault, or the computer’s. */
export class VideoFailed extends Error {}

/**
 * Reads a file of a stranger, in a process of its own.
 * @param mostMs what is longer is not read to its end
 * @throws NoVideo; VideoFailed; what keeps it from being read
 */
export type CheckVideo = (file: string, mostMs: number, signal: AbortSignal) => Promise<{ durationMs: number }>;

/** How a video looks from second to second. @throws as {@link CheckVideo} */
export type PicturesOf = (file: string, durationMs: number, signal: AbortSignal) => Promise<Pictures>;

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
  picturesOf: PicturesOf;
  /** Undefined while nobody scores: then videos wait. */
  score: ScoreVideo | undefined;
  /** Rao that miners get for videos in a day. */
  pool: () => bigint;
  /** Unix milliseconds. */
  now: () => number;
  log: Logger;
}

/** What came of looking at an offer. */
type Found = Partial<Pick<Offer, 'score' | 'proof'>> & { reason: string };

const SEEN = 'A person of the market has looked at it.';
/** A file’s own word on its length may be so far from what its seller said. */
const TOLERANCE_MS = 2_000;
/** Over which whatever reads it has died so often, is no video. */
const MOST_FAILURES = 2;
/** So often a model alone scores what shows the same, while that is known. */
const MOST_SCORED = 3;
const WAITS = 'It waits for a score.';
const SAME_AS_SOLD = 'It shows the same as a video that was sold.';
const SAME_AS_OFFERED = 'It shows the same as a video that is offered.';
const SAME = 'It shows the same as a video that is offered or was sold.';

/**
 * Looks at what was uploaded, one video after the other, of each seller in turn: its hash, its shape, its score, and so its price. Nothing is listed without
 * a score, and nothing is looked at while nobody scores. A resource.
 */
export class Examination {
  readonly #options: ExaminationOptions;
  readonly #known: KnownContent;
  readonly #waiting = new Waiting();
  #isAtWork = false;
  readonly #tasks = new TaskSet();
  readonly #closing = new AbortController();
  #current: { id: string; ending: AbortController } | undefined;

  constructor(options: ExaminationOptions) {
    this.#options = options;
    this.#known = new KnownContent(options.store.examined, options.now);
  }

  /** Takes up again all that was waiting. */
  async open(): Promise<void> {
    const { store, score } = this.#options;
    if (!score) return;
    for (const offer of await store.examined.waiting()) this.#waiting.add(offer, offer.failures > 0);
    void this.#tasks.add(this.#work());
  }

  begin(id: string): void {
    const work = this.#take(id);
    void this.#tasks.add(work.catch((err: unknown) => this.#failed(id, err)));
  }

  /** Tells the person who is to look at it whether it shows the same as what is offered or was sold. */
  compare(id: string): void {
    void this.#tasks.add(this.#compare(id).catch((err: unknown) => this.#failed(id, err)));
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
    const worth = score ?? offer.score ?? 0;
    if (accept && worth < terms.leastScore) return 'tooLittle';
    const isDone = accept
      ? await this.#list(offer, { score: worth, reason: reason || SEEN }, BY_PERSON)
      : await this.#reject(offer, { reason }, BY_PERSON);
    if (!isDone) return 'notWaiting';
    if (!accept) await this.#known.refuse(offer.sha256); // offered anew, it is not new
    return undefined;
  }

  async #take(id: string): Promise<void> {
    const { store, score } = this.#options;
    if (!score) return void (await this.#wait(id, WAITS));
    const offer = await store.offer(id);
    if (offer) this.#waiting.add(offer, false);
    await this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    while (!this.#closing.signal.aborted) {
      const id = this.#waiting.next();
      if (id === undefined) break;
      await this.#examine(id).catch((err: unknown) => this.#failed(id, err));
    }
    this.#isAtWork = false;
  }

  #failed(id: string, err: unknown): void {
    this.#options.log.error({ err, offer: id }, 'a video could not be looked at');
  }

  async #examine(id: string): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#closing.signal]);
    this.#current = { id, ending };
    try {
      const offer = await this.#options.store.offer(id);
      if (offer?.state !== 'processing' || signal.aborted) return;
      await this.#look(offer, signal).catch((error: unknown) => this.#notLooked(offer, error, signal));
    } finally {
      this.#current = undefined;
    }
  }

  /** @throws what is nobody’s fault: it is tried again with the next start */
  async #notLooked(offer: Offer, error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (error instanceof NoVideo) return void (await this.#reject(offer, { reason: error.message }, BY_MARKET));
    if (error instanceof VideoFailed) {
      const isLast = (await this.#options.store.examined.noteFailure(offer.id)) >= MOST_FAILURES;
      const reason = `It cannot be read, however often: ${error.message}`;
      if (isLast) return void (await this.#reject(offer, { reason }, BY_MARKET));
      this.#waiting.add(offer, true);
    }
    await this.#wait(offer.id, 'It could not be looked at, and will be tried again.');
    throw error;
  }

  async #look(offer: Offer, signal: AbortSignal): Promise<void> {
    if (!(await this.#isAsHashed(offer, signal))) return this.#uploadAgain(offer);
    const wrong = await this.#wrongWith(offer, signal);
    if (wrong === undefined) await this.#byContent(offer, signal);
    else await this.#reject(offer, { reason: wrong }, BY_MARKET);
  }

  async #compare(id: string): Promise<void> {
    const { store, now } = this.#options;
    const offer = await store.offer(id);
    if (!offer) return;
    await this.#note(offer, this.#closing.signal);
    const { isOffered, isSold } = await this.#known.of(offer);
    if (!isOffered) return;
    const alike = isSold ? SAME_AS_SOLD : SAME_AS_OFFERED;
    await store.change(async (all) => {
      const current = await all.offer(id);
      if (current?.state !== 'review') return;
      await all.setOffer(id, { proof: proofText({ ...proofOf(current), alike }) }, BY_MARKET, now());
    });
  }

  /** From here on it is known how it looks. */
  #note({ id, sha256, durationMs }: Offer, signal: AbortSignal): Promise<void> {
    const { files, picturesOf } = this.#options;
    return this.#known.note(sha256, () => picturesOf(files.of(id), durationMs, signal));
  }

  /** The same content has the same score for the same task, whoever offers it, and is sold once. */
  async #byContent(offer: Offer, signal: AbortSignal): Promise<void> {
    const { files, score } = this.#options;
    await this.#note(offer, signal);
    const known = await this.#known.of(offer);
    if (known.isOffered) return void (await this.#reject(offer, { reason: SAME }, BY_MARKET));
    if (!score) return void (await this.#wait(offer.id, WAITS));
    const scored = known.score ?? (await this.#scoreAnew(offer, await score(files.of(offer.id), offer, signal), known));
    await this.#scored(offer, { ...scored, review: scored.review || known.isRefused });
  }

  /** A score is a draw: who had a few of them, in other words or cut otherwise, has a person look. */
  async #scoreAnew(offer: Offer, { mayChange, ...found }: MarketScore, { scored }: Known): Promise<KeptScore> {
    const now = { ...found, review: found.review || scored >= MOST_SCORED };
    if (!mayChange) await this.#known.keep(offer, now);
    return now;
  }

  /** Read once: nobody writes to it any more. */
  async #isAsHashed({ id, sha256 }: Offer, signal: AbortSignal): Promise<boolean> {
    const { examined } = this.#options.store;
    if (await examined.isHashed(id)) return true;
    const isSame = (await this.#options.files.sha256(id, signal)) === sha256;
    if (isSame) await examined.noteHashed(id);
    return isSame;
  }

  async #wrongWith({ id, durationMs }: Offer, signal: AbortSignal): Promise<string | undefined> {
    const { checkVideo, files } = this.#options;
    const found = await checkVideo(files.of(id), durationMs + TOLERANCE_MS, signal);
    const isAsSaid = Math.abs(found.durationMs - durationMs) <= TOLERANCE_MS;
    return isAsSaid ? undefined : `The video has ${found.durationMs} ms, and not ${durationMs}.`;
  }

  /** Of the market’s score and that of the seller the lower one counts; what is worth too little is refused, whoever says so. */
  async #scored(offer: Offer, { score: plain, reason, review }: MarketScore): Promise<void> {
    if (!(plain >= 0 && plain <= 1)) throw new Error(`A score is 0 to 1, and not ${plain}.`);
    const proof = proofOf(offer);
    const own = Math.min(1, plain * proof.multiplier);
    const { score, doubted } = combinedScore(own, proof.ownScore ?? own);
    const found = { score, reason, proof: proofText({ ...proof, scored: { score: own, reason } }) };
    // That it is for a task of the market itself, which pays more, only its seller says: a person looks.
    const isForPerson = review || doubted || offer.kind === 'marketplace';
    if (score < this.#options.terms.leastScore) await this.#reject(offer, found, BY_MARKET);
    else if (isForPerson) await this.#set(offer, { ...found, state: 'review' }, BY_MARKET);
    else await this.#list(offer, found, BY_MARKET);
  }

  /** From here on its price stands. */
  async #list(offer: Offer, found: Found & { score: number }, by: string): Promise<boolean> {
    const { store, terms, pool, now } = this.#options;
    const { kind, durationMs, wish } = offer;
    const at = now();
    const beside = await store.listedSince(kind, at - terms.windowMs);
    const others = beside.reduce((sum, one) => sum + points(one), 0);
    const price = priceOf({ kind, durationMs, wish, score: found.score }, { pool: pool(), others }, terms);
    return this.#set(offer, { ...found, state: 'submitted', price, listedAt: at }, by);
  }

  /** What the market’s model rejected is kept for a while: its seller may have a person look. */
  async #reject(offer: Offer, found: Found, by: string): Promise<boolean> {
    const { files, rejected, store } = this.#options;
    const isKept = by === BY_MARKET && (found.score ?? offer.score) !== null;
    const isDone = await this.#set(offer, { ...found, state: 'rejected', ...(!isKept && { nextByte: 0 }) }, by);
    if (!isDone) return false;
    if (isKept) await rejected.trim(offer.seller);
    else {
      await store.examined.forget(offer.id);
      await files.remove(offer.id);
    }
    return true;
  }

  async #uploadAgain(offer: Offer): Promise<void> {
    await this.#options.files.remove(offer.id);
    const reason = 'The bytes are not those of its SHA-256: upload it again.';
    await this.#set(offer, { state: 'uploading', nextByte: 0, reason }, BY_MARKET);
  }

  #wait(id: string, reason: string): Promise<boolean> {
    return this.#set({ id, state: 'processing' }, { reason }, BY_MARKET);
  }

  /** Writes what was found, and nothing else of what was read long ago. @returns whether it counts: not if it was withdrawn meanwhile, say */
  #set(offer: Pick<Offer, 'id' | 'state'>, change: Partial<Offer>, by: string): Promise<boolean> {
    const { store, now } = this.#options;
    return store.change((all) => all.moveOffer(offer, change, by, now()));
  }
}
