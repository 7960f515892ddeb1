import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { MarketReview } from '../../../../../src-preload/contract/market.ts';
import { closeAll } from '../../../../base/close-all.ts';
import type { Verify } from '../../../../base/signing.ts';
import { unforeseen } from '../../../../base/unforeseen.ts';
import type { NonceMarkStore } from '../../../../bittensor/axon/nonces.ts';
import { SignatureCheck } from '../../../../bittensor/axon/signature.ts';
import type { TlsPaths } from '../../../../http/tls-files.ts';
import type { MarketStore } from '../../../../store/market/focus-market.ts';
import { budgetOf, leftOf } from '../rules/budget.ts';
import { OMEGA_TERMS } from '../rules/terms.ts';
import type { MarketTask } from '../wire.ts';
import { type GiveFile, marketAnswers } from './answers.ts';
import { type CheckVideo, Examination, type MarketWord, type PicturesOf, type ScoreVideo } from './examination.ts';
import { Housekeeping } from './housekeeping.ts';
import { type MarketGate, openMarketGate } from './market-gate.ts';
import { MarketServer } from './market-server.ts';
import { Offers, type OffersOptions } from './offers.ts';
import type { MarketChain } from './payment-check.ts';
import { RejectedVideos } from './rejected-videos.ts';
import { Sales } from './sales.ts';
import { Showcase } from './showcase.ts';
import { VideoFiles } from './video-files.ts';
import { reviewView } from './views.ts';

export interface MarketOptions {
  /** ss58 of the hotkey in whose name it sells: it signs nothing, it is what callers sign for. */
  market: string;
  host: string;
  port: number;
  tls: TlsPaths | undefined;
  behindProxy: boolean;
  /** Where the videos lie. */
  folder: string;
  store: MarketStore;
  marks: NonceMarkStore;
  chain: MarketChain;
  /** As they are now: rao a day, bytes, milliseconds, ss58. */
  pool: () => bigint;
  limits: () => { videoBytes: number; diskBytes: number; keepMs: number };
  trusted: () => readonly string[];
  verify: Verify;
  boosted: OffersOptions['boosted'];
  checkVideo: CheckVideo;
  picturesOf: PicturesOf;
  score: ScoreVideo | undefined;
  giveFile: GiveFile;
  /** What it wants recordings of. Default: nothing in particular. */
  tasks?: readonly MarketTask[];
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  requestTimeoutMs?: number;
  pieceLookMs?: number;
  log: Logger;
}

/** How a market is doing. Amounts are rao. */
export interface MarketFigures {
  /** How many there are in each state. */
  offers: Record<string, number>;
  purchases: Record<string, number>;
  bytes: number;
  day: { sold: number; spent: bigint; budget: bigint; left: bigint };
  answered: number;
  refused: ReadonlyMap<number, number>;
}

const newId = () => randomBytes(16).toString('hex');

/** A market of videos: what is on the disk, what is for sale, who pays, and its door. It holds no keys, and pays nobody. A resource. */
export class Market {
  readonly #options: MarketOptions;
  readonly #files: VideoFiles;
  readonly #examination: Examination;
  readonly #housekeeping: Housekeeping;
  readonly #server: MarketServer;

  private constructor(options: MarketOptions, gate: MarketGate) {
    const { store, marks, chain, pool, limits, market, trusted, verify, boosted, score, giveFile, log } = options;
    const { checkVideo, picturesOf } = options;
    const tasks = options.tasks ?? [];
    const [terms, now] = [OMEGA_TERMS, options.now ?? Date.now];
    const files = new VideoFiles(options.folder);
    this.#options = options;
    this.#files = files;
    const rejected = new RejectedVideos({ store, files, terms, now });
    this.#examination = new Examination({
      ...{ store, files, terms, rejected, checkVideo, picturesOf, score, pool, now, log },
    });
    const offers = new Offers({
      ...{ store, chain, files, terms, rejected, limits, verify, boosted, newId, now },
      wanted: tasks,
      onWhole: (id) => this.#examination.begin(id),
      onWithdrawn: (id) => this.#examination.forget(id),
      onAppealed: (id) => this.#examination.compare(id),
    });
    const sales = new Sales({ store, chain, terms, pool, newId, now, log });
    const showcase = new Showcase({ store, chain, terms, market, pool, trusted, limits, now, random: unforeseen });
    const keepMs = () => limits().keepMs;
    this.#housekeeping = new Housekeeping({
      ...{ store, files, sales, gate, rejected },
      market,
      marks,
      keepMs,
      now,
      log,
    });
    const answers = marketAnswers({ store, files, offers, sales, showcase, terms, keepMs, giveFile, tasks });
    const uploader = async (hotkey: string, offer: string) => (await offers.own(hotkey, offer)).seller;
    this.#server = new MarketServer({ ...options, gate, answers, uploader });
  }

  /** @throws QuarryError PORT_IN_USE, CONFIG_INVALID */
  static async open(options: MarketOptions): Promise<Market> {
    const { market, store, marks, now = Date.now } = options;
    const signatures = await SignatureCheck.open();
    const opened = new Market(options, await openMarketGate({ market, store, marks, signatures, now }));
    await opened.#open();
    return opened;
  }

  /** Where programs of this machine find it. */
  get url(): string {
    return this.#server.url;
  }

  async close(): Promise<void> {
    await this.#server.close();
    await closeAll(
      () => this.#housekeeping.close(),
      () => this.#examination.close(),
    );
  }

  /** What is there to be looked at by a person, the oldest first. */
  async reviews(): Promise<MarketReview[]> {
    const offers = await this.#options.store.inState('review');
    return offers.map((offer) => reviewView(offer, this.#files.of(offer.id)));
  }

  /** Where the video lies of what waits for a person; undefined for anything else. */
  async reviewed(id: string): Promise<string | undefined> {
    const offer = await this.#options.store.offer(id);
    return offer?.state === 'review' ? this.#files.of(id) : undefined;
  }

  /** @returns why the word of a person does not count */
  judge(id: string, word: MarketWord): Promise<'notWaiting' | 'tooLittle' | undefined> {
    return this.#examination.judge(id, word);
  }

  async figures(): Promise<MarketFigures> {
    const { store, pool, now = Date.now } = this.#options;
    const paid = await store.paidSince(now() - OMEGA_TERMS.windowMs);
    const spent = paid.reduce((sum, { price }) => sum + price, 0n);
    const left = leftOf({ pool: pool(), spent, locked: await store.locked() }, OMEGA_TERMS);
    return {
      ...(await store.counts()),
      ...this.#server.report(),
      bytes: await store.bytesKept(),
      day: { sold: paid.length, spent, budget: budgetOf(pool(), OMEGA_TERMS), left },
    };
  }

  async #open(): Promise<void> {
    try {
      await this.#housekeeping.open();
      await this.#server.open();
      await this.#examination.open();
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
