import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { LEAST_PRICE } from '../../../../../../src-preload/contract/market-names.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { OwnOffer } from '../../../../../../src-preload/contract/trade.ts';
import { type BackOff, backOffMs } from '../../../../../base/back-off.ts';
import { Changes } from '../../../../../base/changes.ts';
import { OngoingWork } from '../../../../../base/ongoing-work.ts';
import { Turns } from '../../../../../base/turns.ts';
import type { Debt, MarketOrderStore, OfferRow } from '../../../../../store/market-orders.ts';
import type { HeldBy } from '../../../focus/offered-recordings.ts';
import type { OfferView, Submit } from '../../wire.ts';
import { errorText } from '../kept-error.ts';
import type { MarketClient } from '../market-client.ts';
import { isRefusal, MarketRefusal, refused } from '../market-problems.ts';
import { pages } from '../pages.ts';
import { patiently } from '../patience.ts';
import type { OfferedRecordings, OfferedVideo, OpenMarket, Sending } from '../ports.ts';
import { newOfferFile } from './offer-claim.ts';
import { mayAppeal, ON_THEIR_WAY, offerView, rests, submitOf } from './offer-view.ts';
import { sendVideo } from './upload.ts';

export interface OffersOptions {
  store: MarketOrderStore;
  /** The market of an offer, whatever is set by now. */
  marketOf: (row: Pick<OfferRow, 'url' | 'market' | 'wallet' | 'hotkey'>) => Promise<OpenMarket>;
  recordings: OfferedRecordings;
  /** Told before the first byte leaves this computer; where it throws, none does. */
  onSending: (sending: Sending) => Promise<void>;
  /** Whether a debt is being paid back. */
  isPaying: (debt: Debt) => Promise<boolean>;
  changes: Changes;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  between?: BackOff;
  /** Between looks at how offers stand. */
  looks?: BackOff;
}

/** What is asked for beside the video itself. */
export interface OfferTerms {
  recording: string;
  /** Rao, at most; null for the market's price. */
  wish: string | null;
  /** ss58 of who is paid. */
  seller: string;
}

/** After each change from the first on; nothing changes by the minute. */
const LOOKS: BackOff = { firstMs: 10_000, longestMs: 10 * 60_000, growth: 1.5 };
/** Of these nothing more is to be heard, unless something is owed. */
const OVER = new Set<OfferRow['state']>(['rejected', 'withdrawn']);
/** For so long after it was sold somebody may have paid too late: a market takes such payments for a day. */
const SOLD_MS = 2 * 24 * 3_600_000;
/** Nothing of them has left this computer. */
const BEFORE = new Set<OfferRow['state']>(['prepared']);
/** A market may want so often what it had taken already, as where its disk has lost it: then a person decides. */
const MOST_AGAIN = 2;

/**
 * Offers videos, and follows them: what was begun goes on after a kill, from the byte on that the market lacks. Nothing leaves this computer before {@link send}.
 */
export class Offers {
  readonly #options: OffersOptions;
  readonly #now: () => number;
  /** What is being sent. */
  readonly #sending: OngoingWork;
  /** Told of offers that are to be looked at anew. */
  readonly #wake = new Changes();
  #looking: Promise<void> | undefined;
  /** States of recordings follow those of their offers one after the other. */
  readonly #turns = new Turns();

  constructor(options: OffersOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#sending = new OngoingWork({
      what: 'offer',
      work: (id) => this.#send(id),
      onFailed: (id, error) => this.#resting(id, error),
      log: options.log,
    });
  }

  /** Goes on with what was being sent, and follows what is offered; recordings of which a kill has left another state than their offers have. Idempotent. */
  async open(): Promise<void> {
    const { store, recordings } = this.#options;
    const open = await store.openOffers(this.#now() - SOLD_MS);
    // Of others there is nothing to mend: one without an open offer is itself still «offered» where a kill has left it behind.
    const left = [...open.map(({ recording }) => recording), ...(await recordings.offered())];
    for (const id of new Set(left)) await this.#follow(id);
    for (const { id, state } of open) if (ON_THEIR_WAY.has(state)) this.#sending.start(id);
    this.#looking ??= this.#look();
  }

  /** Stops; the next start goes on. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#sending.close(), this.#looking]);
  }

  /** Those that are not over, and the newest; newest first. */
  async list(): Promise<OwnOffer[]> {
    return this.#views(await this.#options.store.shownOffers(this.#now() - SOLD_MS));
  }

  /** All, by page, newest first. @param before id of the last one that is known */
  async page({ before, limit }: { before?: string | undefined; limit: number }) {
    const rows = await this.#options.store.offers({ before, limit: limit + 1 });
    return { offers: await this.#views(rows.slice(0, limit)), more: rows.length > limit };
  }

  #views(rows: readonly OfferRow[]): Promise<OwnOffer[]> {
    return Promise.all(rows.map((row) => offerView(row, this.#options.isPaying)));
  }

  /** @throws BAD_REQUEST where there is none */
  async get(id: string): Promise<OwnOffer> {
    return offerView(await this.row(id), this.#options.isPaying);
  }

  /** Writes down what would be sent. Nothing leaves this computer. */
  async prepare(
    market: Omit<OpenMarket, 'client'>,
    { path, about }: OfferedVideo,
    terms: OfferTerms,
  ): Promise<OwnOffer> {
    const now = this.#now();
    const { sha256, bytes, durationMs, scoreCard, chain, title, description, kind } = about;
    const { url, key, wallet, hotkey } = market;
    const id = randomBytes(16).toString('hex');
    const file = newOfferFile(dirname(path)); // its own: another offer of the recording may be taken back
    await rename(path, file);
    const row: OfferRow = {
      ...{ id, url, market: key, wallet, hotkey },
      ...{ ...terms, title, description, kind, file, sha256, bytes, duration_ms: durationMs },
      ...{ score_card: JSON.stringify(scoreCard), chain: JSON.stringify(chain), state: 'prepared' },
      ...{
        offer_id: null,
        sent_bytes: 0,
        left_bytes: 0,
        begun_again: 0,
        score: null,
        price: null,
        reason: null,
        owed: '[]',
        error: null,
      },
      ...{ created_at: now, changed_at: now },
    };
    await this.#options.store.addOffer(row);
    this.#options.changes.tell();
    return this.get(row.id);
  }

  /**
   * Sends what was prepared, and goes on with what rests; it goes on by itself.
   * @throws BAD_REQUEST where that was done already, and where its recording is not ready (any more); what the consent log throws
   */
  async send(id: string): Promise<OwnOffer> {
    await this.#turns.take(async () => {
      const row = await this.row(id);
      if (this.#isResting(row)) await this.#options.store.changeOffer(id, { error: null, begun_again: 0 });
      else await this.#begin(row);
    });
    this.#options.changes.tell();
    this.#sending.start(id);
    return this.get(id);
  }

  /** Takes an offer back; what was only prepared is forgotten. @throws what the market says, such as that it is sold */
  async withdraw(id: string): Promise<void> {
    const row = await this.row(id);
    if (row.offer_id !== null && !OVER.has(row.state)) {
      const { client } = await this.#options.marketOf(row);
      await this.#keepTold(row, await client.withdraw(row.offer_id, this.#sending.signal));
    } else if (row.state === 'sending' && !this.#isResting(row)) {
      throw refused(say('trade.beingSent'));
    } else {
      if (mayAppeal(row)) await this.#deleteThere(row);
      await this.#options.store.removeOffer(id);
      await this.#follow(row.recording);
    }
    await rm(row.file, { force: true });
    this.#options.changes.tell();
  }

  /** Has a person of the market look at what its model rejected. @throws BAD_REQUEST for any other; what the market says, such as that it has the video no more */
  async appeal(id: string, note: string): Promise<OwnOffer> {
    const row = await this.row(id);
    if (row.offer_id === null || !mayAppeal(row)) throw refused(say('trade.noAppeal'));
    const { client } = await this.#options.marketOf(row);
    await this.#keepTold(row, await client.appeal(row.offer_id, note, this.#sending.signal));
    this.lookSoon();
    return this.get(id);
  }

  /** Told that something has changed at the market: it is looked at soon. */
  lookSoon(): void {
    this.#wake.tell();
  }

  /** Keeps what the market says of an offer. */
  async keep(id: string, told: OfferView): Promise<void> {
    await this.#keepTold(await this.row(id), told);
  }

  /** @throws BAD_REQUEST where there is none */
  async row(id: string): Promise<OfferRow> {
    const row = await this.#options.store.offer(id);
    if (row) return row;
    throw refused(say('trade.unknownOffer'), 'id');
  }

  /** The market has its bytes a while longer, unless it is told. */
  async #deleteThere(row: OfferRow): Promise<void> {
    try {
      const { client } = await this.#options.marketOf(row);
      await client.withdraw(row.offer_id ?? '', this.#sending.signal);
    } catch (err) {
      this.#options.log.info({ err, offer: row.id }, 'the market deletes a rejected video when its time is over');
    }
  }

  /** The recording first: what cannot be offered is not sent, and a kill in between is seen at the next start. */
  async #begin({ id, recording, state, bytes, url, market: key }: OfferRow): Promise<void> {
    const { recordings, store, onSending } = this.#options;
    if (state !== 'prepared') throw refused(say('trade.sentAlready'));
    await recordings.offer(recording);
    try {
      await onSending({ recording, what: 'video', to: new URL(url).host, key, bytes });
      await store.changeOffer(id, { state: 'sending' });
    } catch (error) {
      await recordings.follow(recording, 'none');
      throw error;
    }
  }

  #isResting(row: OfferRow): boolean {
    return rests(row) && !this.#sending.has(row.id);
  }

  #follow(recording: string): Promise<void> {
    const { store, recordings } = this.#options;
    return this.#turns.take(async () => recordings.follow(recording, heldBy(await store.offerStates(recording))));
  }

  /** What the market refused before it had an offer of it is at its end: nothing of it is there. That others offer it already may be untrue, and passes. */
  async #resting(id: string, error: unknown): Promise<void> {
    const { offer_id, recording } = await this.row(id);
    const isOver = offer_id === null && error instanceof MarketRefusal && !isRefusal(error, 'CONFLICT');
    await this.#change(id, { error: errorText(error), ...(isOver && { state: 'rejected' }) });
    await this.#follow(recording);
  }

  async #send(id: string): Promise<void> {
    const row = await this.row(id);
    const { client } = await this.#options.marketOf(row);
    const { signal } = this.#sending;
    const waiting = this.#waiting(id);
    const told = row.offer_id ? undefined : await patiently(() => this.#submit(client, row), signal, waiting);
    if (told) await this.#keepTold(row, told);
    const { offer_id: offer, file: path, bytes, sent_bytes: had, begun_again } = await this.row(id);
    if (offer === null) return;
    if (begun_again > MOST_AGAIN) throw tooOften(client);
    const { store } = this.#options;
    const onSent = (sent_bytes: number) => store.changeOffer(id, { sent_bytes, error: null }); // told of within a second
    const onAgain = () => this.#onAgain(id, client);
    const onLeaving = (from: number, to: number) => this.#onLeaving(id, from, to);
    const video = { offer, path, bytes, had, onSent, onAgain, onLeaving };
    const sent = await sendVideo(client, { ...video, ...waiting }, signal);
    await this.#keepTold(row, sent);
    await rm(path, { force: true }); // the recording stays
    this.lookSoon();
  }

  async #onAgain(id: string, client: MarketClient): Promise<void> {
    const begun_again = (await this.row(id)).begun_again + 1;
    await this.#options.store.changeOffer(id, { begun_again });
    if (begun_again > MOST_AGAIN) throw tooOften(client);
  }

  /** That all of it leaves was told before the first byte: what leaves once more is told, too. */
  async #onLeaving(id: string, from: number, to: number): Promise<void> {
    const { recording, url, market: key, left_bytes } = await this.row(id);
    const again = Math.min(left_bytes, to) - from;
    if (again > 0)
      await this.#options.onSending({ recording, what: 'video', to: new URL(url).host, key, bytes: again });
    if (to > left_bytes) await this.#options.store.changeOffer(id, { left_bytes: to });
  }

  /** Whoever got no answer may have offered it all the same: an offer of the same file is taken up. */
  async #submit(client: MarketClient, row: OfferRow): Promise<OfferView> {
    try {
      return await client.submit(submitOf(row), this.#sending.signal);
    } catch (error) {
      const known = isRefusal(error, 'CONFLICT') ? await this.#known(client, row.sha256) : undefined;
      if (known) return known;
      throw error;
    }
  }

  async #known(client: MarketClient, sha256: Submit['sha256']): Promise<OfferView | undefined> {
    for await (const page of this.#pages(client)) {
      const found = page.find((one) => one.sha256 === sha256 && !OVER.has(one.state));
      if (found) return found;
    }
    return undefined;
  }

  /** Looks at how offers stand, with growing pauses between which nothing has changed. */
  async #look(): Promise<void> {
    const { signal } = this.#sending;
    const { looks = LOOKS, log } = this.#options;
    for (let quiet = 1; !signal.aborted; quiet++) {
      const { count } = this.#wake;
      const changed = await this.#lookOnce().catch((err: unknown) => {
        if (!signal.aborted) log.info({ err }, 'it is not known how offers stand');
        return false;
      });
      if (changed) quiet = 0;
      await this.#wake.after(count, signal, backOffMs(Math.max(1, quiet), looks));
      if (this.#wake.count > count) quiet = 0;
    }
  }

  /** All of a market are asked for together: it answers a few times a minute. @returns whether any of them has changed */
  async #lookOnce(): Promise<boolean> {
    const open = await this.#options.store.openOffers(this.#now() - SOLD_MS);
    const rows = open.filter(({ id, offer_id }) => offer_id !== null && !this.#sending.has(id));
    const markets = Map.groupBy(rows, ({ url, market, wallet, hotkey }) =>
      JSON.stringify([url, market, wallet, hotkey]),
    );
    let changed = false;
    for (const ofOne of markets.values()) changed = (await this.#lookAt(ofOne)) || changed;
    return changed;
  }

  /** @param rows of one market and hotkey */
  async #lookAt(rows: readonly OfferRow[]): Promise<boolean> {
    const [first] = rows;
    if (!first) return false;
    const { client } = await this.#options.marketOf(first);
    const wanted = new Map(rows.map((row) => [row.offer_id, row]));
    let changed = false;
    for await (const page of this.#pages(client)) {
      for (const told of page) {
        const row = wanted.get(told.id);
        wanted.delete(told.id);
        if (row) changed = (await this.#keepTold(row, told)) || changed;
        if (row && told.state === 'uploading' && !rests(await this.row(row.id))) this.#sending.start(row.id);
      }
      if (wanted.size === 0) break;
    }
    return changed;
  }

  /** Own offers, as the market has them. */
  #pages(client: MarketClient) {
    return pages(
      (before) => client.offers(before, this.#sending.signal),
      ({ offers }) => offers,
    );
  }

  /** @returns whether anything is new */
  async #keepTold(row: OfferRow, told: OfferView): Promise<boolean> {
    const { id: offer_id, state, score, price, reason } = told;
    const owed = JSON.stringify(told.owed);
    const isOver = isOverWish(row, price);
    const next = { offer_id, state, score, price: isOver ? null : price, reason, owed };
    const before = await this.row(row.id);
    const isNew = Object.entries(next).some(([name, value]) => before[name as keyof typeof next] !== value);
    if (!isNew) return false;
    await this.#change(row.id, {
      ...next,
      changed_at: told.changedAt,
      error: isOver ? errorText(refused(say('trade.overWish'))) : null,
    });
    await this.#follow(row.recording);
    return true;
  }

  #waiting(id: string) {
    const { between } = this.#options;
    const onWait = (error: QuarryError) => this.#change(id, { error: errorText(error) });
    return { onWait, ...(between && { between }) };
  }

  async #change(id: string, change: Parameters<MarketOrderStore['changeOffer']>[1]): Promise<void> {
    await this.#options.store.changeOffer(id, change);
    this.#options.changes.tell();
  }
}

const tooOften = ({ host }: MarketClient) =>
  refused(say('trade.wantedAgain', { host, times: MOST_AGAIN + 1 }), undefined, say('trade.wantedAgain.hint'));

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
