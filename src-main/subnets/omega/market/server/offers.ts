import type { OfferState } from '../../../../../src-preload/contract/market-names.ts';
import type { Verify } from '../../../../base/signing.ts';
import { TurnsOf } from '../../../../base/turns-of.ts';
import { isAddress } from '../../../../bittensor/address.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import type { MarketChange } from '../../../../store/market/market-change.ts';
import type { Offer } from '../../../../store/market/market-rows.ts';
import { offerMayBecome } from '../rules/states.ts';
import type { MarketTerms } from '../rules/terms.ts';
import { scoreCardBytes } from '../signing.ts';
import { MAX_PIECE_BYTES, type MarketTask, type Submit } from '../wire.ts';
import { type MarketChain, ownerOf } from './payment-check.ts';
import { notFound, Problem } from './problem.ts';
import { type OfferedTask, proofOf, proofText } from './proof.ts';
import type { RejectedVideos } from './rejected-videos.ts';
import { sellerScore } from './seller-score.ts';
import type { VideoFiles } from './video-files.ts';

/** Offers of one seller that are not in the list yet. */
const MOST_UNLISTED = 5;
const UNLISTED: readonly OfferState[] = ['uploading', 'processing', 'review'];
/** And of the disk they may take so much together, one over the other; one video always. */
const UNLISTED_SHARE = 1 / 10;
/** Bytes that are left to others on the drive. */
const LEFT_FREE = 1_000_000_000;
const LATER_MS = 10 * 60_000;

export interface UploadLimits {
  /** Of one video, and of all together. */
  videoBytes: number;
  diskBytes: number;
}

export interface OffersOptions {
  store: MarketStore;
  chain: Pick<MarketChain, 'ownerOf'>;
  files: VideoFiles;
  terms: MarketTerms;
  rejected: Pick<RejectedVideos, 'giveWay'>;
  limits: () => UploadLimits;
  /** A boosted task of the market’s own list; undefined for one that is not there. */
  boosted: (id: string) => Promise<OfferedTask | undefined>;
  /** What the market itself wants recordings of. */
  wanted: readonly MarketTask[];
  /** Checks what nodes sign. */
  verify: Verify;
  /** 32 hex. */
  newId: () => string;
  /** Unix milliseconds. */
  now: () => number;
  /** All bytes of an offer are there. */
  onWhole: (id: string) => void;
  /** An offer is withdrawn: nobody need look at it any more. */
  onWithdrawn: (id: string) => void;
  /** A person is to look at a rejected one. */
  onAppealed: (id: string) => void;
}

/** Where a piece of an upload stands in its video: `content-range: bytes <first>-<last>/<all>`. */
export interface Piece {
  first: number;
  last: number;
  all: number;
}

/** What sellers do: offer, upload, withdraw. */
export class Offers {
  readonly #options: OffersOptions;
  readonly #turns = new TurnsOf();

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /**
   * Takes an offer of whoever owns the hotkey that signs: to be paid in another’s name, or to take what is another’s due, is nobody’s business.
   * @throws Problem BAD_REQUEST, TOO_LARGE, FORBIDDEN, CONFLICT, RATE_LIMIT, UNAVAILABLE
   */
  async submit(hotkey: string, submit: Submit): Promise<Offer> {
    const { store, newId, now } = this.#options;
    this.#refuse(submit);
    const { kind, wish, seller, sha256, bytes, durationMs, scoreCard, chain } = submit;
    const ownScore = sellerScore(submit, this.#options.verify);
    const { title, description, multiplier } = await this.#taskOf(submit);
    await this.#refuseOthers(hotkey, seller);
    const at = now();
    const offer: Offer = {
      ...{ id: newId(), hotkey, seller, title, description, kind, sha256, bytes, durationMs },
      ...{ wish: wish === null ? null : BigInt(wish), proof: proofText({ scoreCard, chain, multiplier, ownScore }) },
      ...{ state: 'uploading', nextByte: 0, score: null, price: null, reason: null },
      ...{ createdAt: at, changedAt: at, listedAt: null, soldAt: null },
    };
    await store.change(async (change) => {
      if (await change.isOffered(sha256, seller))
        throw new Problem('CONFLICT', 'This video is offered already.', { field: 'sha256' });
      await this.#refuseMany(change, { seller, bytes });
      await change.addOffer(offer);
    });
    return offer;
  }

  /** @throws Problem NOT_FOUND */
  async own(hotkey: string, id: string): Promise<Offer> {
    const offer = await this.#options.store.offer(id);
    if (offer?.hotkey !== hotkey) throw notFound('offer');
    return offer;
  }

  /**
   * Takes a piece of the video. One that is there already changes nothing.
   * @throws Problem NOT_FOUND, BAD_REQUEST, CONFLICT for one that does not follow, UNAVAILABLE where there is no room
   */
  async upload(hotkey: string, id: string, { first, last, all }: Piece, bytes: Uint8Array): Promise<Offer> {
    if (last - first + 1 !== bytes.length || bytes.length === 0 || bytes.length > MAX_PIECE_BYTES) {
      throw new Problem('BAD_REQUEST', 'The range is not that of the body.', { field: 'content-range' });
    }
    return this.#turns.take(id, async () => {
      const offer = await this.own(hotkey, id);
      if (all !== offer.bytes || last >= all)
        throw new Problem('BAD_REQUEST', `The video has ${offer.bytes} bytes.`, { field: 'content-range' });
      if (last < offer.nextByte) return offer;
      if (offer.state !== 'uploading') throw new Problem('CONFLICT', 'Nothing is uploaded to it any more.');
      if (first !== offer.nextByte)
        throw new Problem('CONFLICT', `The upload goes on at byte ${offer.nextByte}.`, { field: 'content-range' });
      await this.#refuseWithoutRoom(bytes.length);
      await this.#write(id, first, bytes);
      return this.#noteBytes(offer, last + 1);
    });
  }

  /** Takes an offer back, with its bytes. Idempotent. @throws Problem NOT_FOUND, LOCKED, GONE */
  async withdraw(hotkey: string, id: string): Promise<Offer> {
    await this.own(hotkey, id);
    return this.#turns.take(id, async () => {
      await this.#options.store.change(async (change) => {
        const offer = await change.offer(id);
        if (!offer || offer.state === 'withdrawn') return;
        if (offer.state === 'purchasePending')
          throw new Problem('LOCKED', 'Somebody is paying for it.', { retryAfterMs: this.#options.terms.lockMs });
        if (!offerMayBecome(offer.state, 'withdrawn')) throw new Problem('GONE', `It is ${offer.state}.`);
        await change.setOffer(id, { state: 'withdrawn', nextByte: 0 }, hotkey, this.#options.now());
      });
      this.#options.onWithdrawn(id);
      await this.#options.files.remove(id);
      return this.own(hotkey, id);
    });
  }

  /**
   * Has a person of the market look at what its model rejected: once. Who got no answer may ask again.
   * @throws Problem NOT_FOUND, CONFLICT, GONE, RATE_LIMIT
   */
  async appeal(hotkey: string, id: string, note: string): Promise<Offer> {
    await this.own(hotkey, id);
    const isNew = await this.#options.store.change(async (change) => {
      const offer = await change.offer(id);
      if (!offer) throw notFound('offer');
      const proof = proofOf(offer);
      if (offer.state === 'review' && proof.appeal === note) return false;
      if (offer.state !== 'rejected') throw new Problem('CONFLICT', `It is ${offer.state}, and not rejected.`);
      if (offer.nextByte < offer.bytes)
        throw new Problem('GONE', 'A person has looked at it, or the market does not keep its video any more.');
      if (await change.isOffered(offer.sha256, offer.seller))
        throw new Problem('CONFLICT', 'This video is offered again already.');
      await this.#refuseMany(change, offer);
      const reason = 'A person of the market looks at it.';
      const next = { state: 'review' as const, reason, proof: proofText({ ...proof, appeal: note }) };
      await change.setOffer(id, next, hotkey, this.#options.now());
      return true;
    });
    if (isNew) this.#options.onAppealed(id);
    return this.own(hotkey, id);
  }

  async #refuseOthers(hotkey: string, seller: string): Promise<void> {
    if ((await ownerOf(this.#options.chain, hotkey)) !== seller)
      throw new Problem('FORBIDDEN', 'Only the owner of the hotkey that signs can sell.', { field: 'seller' });
  }

  /** By what they will take, not by what has come of them: begun side by side they do not all end for want of room. */
  async #refuseMany(change: MarketChange, { seller, bytes }: Pick<Offer, 'seller' | 'bytes'>): Promise<void> {
    const { diskBytes, videoBytes } = this.#options.limits();
    const own = await change.offersOf(seller, UNLISTED);
    const most = Math.max(diskBytes * UNLISTED_SHARE, videoBytes);
    const retryAfterMs = LATER_MS;
    if (own.count >= MOST_UNLISTED) {
      const message = `No more than ${MOST_UNLISTED} videos of one seller are uploaded or looked at.`;
      throw new Problem('RATE_LIMIT', message, { retryAfterMs });
    }
    if (own.bytes + bytes > most) {
      const message = `Videos of one seller that are uploaded or looked at have ${most} bytes together at most.`;
      throw new Problem('RATE_LIMIT', message, { retryAfterMs });
    }
  }

  #refuse({ seller, bytes, durationMs, scoreCard, sha256, chain }: Submit): void {
    const { terms, limits, verify } = this.#options;
    if (!isAddress(seller)) throw new Problem('BAD_REQUEST', 'This is no address of Bittensor.', { field: 'seller' });
    if (bytes > limits().videoBytes)
      throw new Problem('TOO_LARGE', `A video has ${limits().videoBytes} bytes at most.`, { field: 'bytes' });
    const { least, most } = terms.duration;
    if (durationMs < least || durationMs > most) {
      throw new Problem('BAD_REQUEST', `A video has ${least / 1_000} to ${most / 1_000} seconds.`, {
        field: 'durationMs',
      });
    }
    if (!verify(scoreCard.node, scoreCardBytes({ sha256, scoreCard, chain }), scoreCard.signature)) {
      throw new Problem('BAD_REQUEST', 'The score card is not signed by its node for this file and this chain.', {
        field: 'scoreCard',
      });
    }
  }

  /** What a boosted task is, and one that the market wants, it knows by its own lists: never from its seller. */
  async #taskOf({ kind, title, description, scoreCard: { task } }: Submit): Promise<OfferedTask> {
    const field = 'scoreCard.task';
    if ((kind === 'user') !== (task === undefined))
      throw new Problem('BAD_REQUEST', 'A task of a list is named by its id, and an own one is not.', { field });
    if (task === undefined) return { title, description, multiplier: 1 };
    const found = kind === 'boosted' ? await this.#options.boosted(task) : this.#wanted(task);
    if (found) return found;
    throw new Problem('BAD_REQUEST', `This market has no ${kind} task «${task}» in its list.`, { field });
  }

  #wanted(task: string): OfferedTask | undefined {
    const found = this.#options.wanted.find(({ id }) => id === task);
    return found && { title: found.title, description: found.description, multiplier: 1 };
  }

  async #refuseWithoutRoom(bytes: number): Promise<void> {
    const { store, files, limits, rejected } = this.#options;
    const isFull = async () =>
      (await store.bytesKept()) + bytes > limits().diskBytes || (await files.free()) - bytes < LEFT_FREE;
    if (!(await isFull())) return;
    await rejected.giveWay();
    if (await isFull())
      throw new Problem('UNAVAILABLE', 'The market has no room for more videos now.', { retryAfterMs: LATER_MS });
  }

  async #write(id: string, at: number, bytes: Uint8Array): Promise<void> {
    try {
      await this.#options.files.write(id, at, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      throw new Problem('UNAVAILABLE', 'The disk of the market is full.', { retryAfterMs: LATER_MS, cause: error });
    }
  }

  /** @returns the offer as it is then */
  async #noteBytes({ id, hotkey, bytes }: Offer, nextByte: number): Promise<Offer> {
    const { store, now, onWhole } = this.#options;
    const isWhole = nextByte === bytes;
    const reason = isWhole ? 'It is being looked at.' : null;
    const change = { nextByte, reason, ...(isWhole && { state: 'processing' as const }) };
    await store.change((all) => all.setOffer(id, change, hotkey, now()));
    if (isWhole) onWhole(id);
    return this.own(hotkey, id);
  }
}
