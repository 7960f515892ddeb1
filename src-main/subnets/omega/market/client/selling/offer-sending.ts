import { rm, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { BackOff } from '../../../../../base/back-off.ts';
import { OngoingWork } from '../../../../../base/ongoing-work.ts';
import { ifMissing } from '../../../../../base/swallowed.ts';
import type { OfferRow } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { OfferView, Submit } from '../../wire.ts';
import { errorText } from '../kept-error.ts';
import type { MarketClient } from '../market-client.ts';
import { isRefusal, MarketRefusal, refused } from '../market-problems.ts';
import { patiently } from '../patience.ts';
import type { OfferedRecordings, OpenMarket, Sending } from '../ports.ts';
import { type KeptOffers, OVER } from './kept-offers.ts';
import { rests, submitOf } from './offer-view.ts';
import { ownPages } from './own-pages.ts';
import { sendVideo } from './upload.ts';

export interface OfferSendingOptions {
  kept: KeptOffers;
  store: MarketOrderStore;
  marketOf: (row: OfferRow) => Promise<OpenMarket>;
  recordings: OfferedRecordings;
  /** Told before the first byte leaves this computer; where it throws, none does. */
  onSending: (sending: Sending) => Promise<void>;
  /** Told that the market has all of one. */
  onSent: () => void;
  log: Logger;
  between?: BackOff;
}

/** A market may want so often what it had taken already, as where its disk has lost it: then a person decides. */
const MOST_AGAIN = 2;

/** Sends videos that are offered: what was begun goes on, from the byte on that the market lacks. A resource. */
export class OfferSending {
  readonly #options: OfferSendingOptions;
  readonly #ongoing: OngoingWork;

  constructor(options: OfferSendingOptions) {
    this.#options = options;
    this.#ongoing = new OngoingWork({
      what: 'offer',
      work: (id) => this.#send(id),
      onFailed: (id, error) => this.#resting(id, error),
      log: options.log,
    });
  }

  /** Aborted once it is closed. */
  get signal(): AbortSignal {
    return this.#ongoing.signal;
  }

  has(id: string): boolean {
    return this.#ongoing.has(id);
  }

  /** Sends one, or goes on with it, unless that is under way. */
  start(id: string): void {
    this.#ongoing.start(id);
  }

  /** Whether it goes on only when a person wants it. */
  isResting(row: OfferRow): boolean {
    return rests(row) && !this.has(row.id);
  }

  /** Stops; the next start goes on. Idempotent. */
  close(): Promise<void> {
    return this.#ongoing.close();
  }

  async #send(id: string): Promise<void> {
    const row = await this.#options.kept.row(id);
    const { client } = await this.#options.marketOf(row);
    const { signal } = this.#ongoing;
    const waiting = this.#waiting(id);
    const told = row.offer_id ? undefined : await patiently(() => this.#submit(client, row), signal, waiting);
    if (told) await this.#options.kept.keepTold(row, told);
    const { offer_id: offer, file: path, bytes, sent_bytes: had, begun_again } = await this.#options.kept.row(id);
    if (offer === null) return;
    if (begun_again > MOST_AGAIN) throw tooOften(client);
    if (!(await stat(path).catch(ifMissing)))
      throw refused(say('trade.fileGone'), undefined, say('trade.fileGone.hint'));
    const { store } = this.#options;
    const onSent = (sent_bytes: number) => store.changeOffer(id, { sent_bytes, error: null }); // told of within a second
    const onAgain = () => this.#onAgain(id, client);
    const onLeaving = (from: number, to: number) => this.#onLeaving(id, from, to);
    const video = { offer, path, bytes, had, onSent, onAgain, onLeaving };
    const sent = await sendVideo(client, { ...video, ...waiting }, signal);
    await this.#options.kept.keepTold(row, sent);
    await rm(path, { force: true }); // the recording stays
    this.#options.onSent();
  }

  async #onAgain(id: string, client: MarketClient): Promise<void> {
    const begun_again = (await this.#options.kept.row(id)).begun_again + 1;
    await this.#options.store.changeOffer(id, { begun_again });
    if (begun_again > MOST_AGAIN) throw tooOften(client);
  }

  /** That all of it leaves was told before the first byte: what leaves once more is told, too. */
  async #onLeaving(id: string, from: number, to: number): Promise<void> {
    const { recording, url, market: key, left_bytes } = await this.#options.kept.row(id);
    const again = Math.min(left_bytes, to) - from;
    if (again > 0)
      await this.#options.onSending({ recording, what: 'video', to: new URL(url).host, key, bytes: again });
    if (to > left_bytes) await this.#options.store.changeOffer(id, { left_bytes: to });
  }

  /** Whoever got no answer may have offered it all the same: an offer of the same file is taken up. */
  async #submit(client: MarketClient, row: OfferRow): Promise<OfferView> {
    try {
      return await client.submit(submitOf(row), this.#ongoing.signal);
    } catch (error) {
      const known = isRefusal(error, 'CONFLICT') ? await this.#known(client, row.sha256) : undefined;
      if (known) return known;
      throw error;
    }
  }

  async #known(client: MarketClient, sha256: Submit['sha256']): Promise<OfferView | undefined> {
    for await (const page of ownPages(client, this.#ongoing.signal)) {
      const found = page.find((one) => one.sha256 === sha256 && !OVER.has(one.state));
      if (found) return found;
    }
    return undefined;
  }

  /** What the market refused before it had an offer of it is at its end: nothing of it is there. That others offer it already may be untrue, and passes. */
  async #resting(id: string, error: unknown): Promise<void> {
    const { offer_id, recording } = await this.#options.kept.row(id);
    const isOver = offer_id === null && error instanceof MarketRefusal && !isRefusal(error, 'CONFLICT');
    await this.#options.kept.change(id, { error: errorText(error), ...(isOver && { state: 'rejected' }) });
    await this.#options.kept.follow(recording);
  }

  /** The recording first: what cannot be offered is not sent, and a kill in between is seen at the next start. */
  async begin({ id, recording, state, bytes, url, market: key }: OfferRow): Promise<void> {
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

  #waiting(id: string) {
    const { between } = this.#options;
    const onWait = (error: QuarryError) => this.#options.kept.change(id, { error: errorText(error) });
    return { onWait, ...(between && { between }) };
  }
}

const tooOften = ({ host }: MarketClient) =>
  refused(say('trade.wantedAgain', { host, times: MOST_AGAIN + 1 }), undefined, say('trade.wantedAgain.hint'));
