import type { Logger } from 'pino';
import type { ChainDraft, SentCall } from '../../../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../../../src-preload/contract/errors.ts';
import { raoOfTao } from '../../../../../../src-preload/contract/rao.ts';
import { say } from '../../../../../../src-preload/contract/saying.ts';
import type { DryRun, MarketShelf, OwnPurchase, TradeState } from '../../../../../../src-preload/contract/trade.ts';
import type { BackOff } from '../../../../../base/back-off.ts';
import type { Changes } from '../../../../../base/changes.ts';
import { closeAll } from '../../../../../base/close-all.ts';
import { Recent } from '../../../../../base/recent.ts';
import type { RequestSigner } from '../../../../../bittensor/signed-requests/sign-request.ts';
import type { Debt } from '../../../../../store/market/market-order-tables.ts';
import type { MarketOrderStore } from '../../../../../store/market/market-orders.ts';
import type { MarketList, MarketStats, MarketTask } from '../../wire.ts';
import { Purchases } from '../buying/purchases.ts';
import { MarketClient } from '../market-client.ts';
import { refused } from '../market-problems.ts';
import type { OfferedRecordings, OfferedVideo, OpenMarket, Payments, Sending } from '../ports.ts';
import { SafePayment } from '../safe-payment.ts';
import { Offers, type OfferTerms } from '../selling/offers.ts';
import { Repayments } from '../selling/repayments.ts';
import { dryRun } from './dry-run.ts';

/** A list is so old at most: a market gives five of them a minute. */
const FRESH_MS = 13_000;
/** What is wanted changes by hand. */
const WANTED_FRESH_MS = 5 * 60_000;

/** What is set: see `trade-settings.ts`. */
export interface MarketChoice {
  url?: string | undefined;
  key?: string | undefined;
  wallet?: string | undefined;
  hotkey: string;
  /** TAO in 24 hours. */
  dailyCap: number;
}

export interface MarketDeskOptions {
  store: MarketOrderStore;
  choice: () => MarketChoice;
  payments: Payments;
  /** ss58 of a wallet's coldkey. @throws where there is none, or its address is not known */
  payer: (wallet: string) => Promise<string>;
  /** A hotkey that goes on signing. @throws where that takes somebody who types a password */
  openHotkey: (wallet: string, hotkey: string) => Promise<RequestSigner & { close(): Promise<void> }>;
  recordings: OfferedRecordings;
  /** Told before the first byte of a recording leaves this computer; where it throws, none does. */
  onSending: (sending: Sending) => Promise<void>;
  /** For videos that were bought. */
  folder: string;
  changes: Changes;
  log: Logger;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** Between tries; between looks at how offers stand. */
  between?: BackOff;
  looks?: BackOff;
}

/** Everything that this node does at a market of videos: looks, buys, offers, pays back. A resource. */
export class MarketDesk {
  readonly purchases: Purchases;
  readonly offers: Offers;
  readonly #repayments: Repayments;
  readonly #safe: SafePayment;
  readonly #options: MarketDeskOptions;
  readonly #closing = new AbortController();
  /** What was asked for last: a market answers a few times a minute. */
  #shelf: { at: number; of: string; shelf: Promise<{ stats: MarketStats; list: MarketList }> } | undefined;
  /** By the market’s address. */
  readonly #wanted: Recent<readonly MarketTask[]>;
  /** By wallet and hotkey. */
  readonly #hotkeys = new Map<string, ReturnType<MarketDeskOptions['openHotkey']>>();

  constructor(options: MarketDeskOptions) {
    this.#options = options;
    this.#wanted = new Recent(WANTED_FRESH_MS, options.now);
    const { store, payments, payer, recordings, onSending, folder, changes, log, now, between, looks } = options;
    const marketOf = ({
      url,
      market: key,
      wallet,
      hotkey,
    }: {
      url: string;
      market: string;
      wallet: string;
      hotkey: string;
    }) => this.#market({ url, key, wallet, hotkey });
    const safe = new SafePayment({ payments, isUsed: (call) => store.isUsed(call), now });
    const timed = { ...(now && { now }), ...(between && { between }) };
    const shared = { store, marketOf, payments, safe, changes, log, ...timed };
    this.#safe = safe;
    this.purchases = new Purchases({ ...shared, payer, folder, cap: () => capOf(options.choice()) });
    const isPaying = async (debt: Debt) => (await store.repayment(debt))?.call != null;
    this.offers = new Offers({ ...shared, recordings, onSending, isPaying, ...(looks && { looks }) });
    this.#repayments = new Repayments({ ...shared, offers: this.offers });
  }

  /** Goes on with what is not at its end. */
  async open(): Promise<void> {
    await this.purchases.open();
    await this.offers.open();
    await this.#repayments.open();
  }

  /** Stops; the next start goes on. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await closeAll(...[this.purchases, this.offers, this.#repayments].map((one) => () => one.close()), async () => {
      const opened = await Promise.allSettled(this.#hotkeys.values());
      await Promise.all(opened.map(async (one) => one.status === 'fulfilled' && (await one.value.close())));
    });
  }

  /** How this node stands with its market. Asks nobody. */
  async state(): Promise<TradeState> {
    const { url, key, wallet, hotkey } = this.#options.choice();
    const [purchases, offers] = [await this.purchases.list(), await this.offers.list()];
    const { settled, pending, owed } = await this.#options.store.earned();
    return {
      market: url && key && wallet ? { url, key, wallet, hotkey } : null,
      cap: String(capOf(this.#options.choice())),
      spent: String(await this.purchases.spent()),
      purchases,
      offers,
      earned: { settled: String(settled), pending: String(pending), owed: String(owed) },
    };
  }

  /** What may be bought now. @throws what the market says */
  async list(): Promise<MarketShelf> {
    const { stats, list } = await this.#look(await this.chosen());
    const { videos, madeAt } = list;
    return { videos, madeAt, stats: statsView(stats) };
  }

  /** What the market wants recordings of, as it was within the last minutes; nothing where no market is set. @throws what the market says */
  async tasks(): Promise<readonly MarketTask[]> {
    const { url, key, wallet } = this.#options.choice();
    if (!url || !key || !wallet) return [];
    const known = this.#wanted.get(url);
    return known ?? this.#wanted.set(url, await (await this.chosen()).client.tasks(this.#closing.signal));
  }

  /** What would happen if a video was bought. Locks and spends nothing. @throws BAD_REQUEST where it is not in the list */
  async dryRun(id: string): Promise<DryRun> {
    const market = await this.chosen();
    const { client, wallet } = market;
    const { payments, payer, choice, now = Date.now } = this.#options;
    const { stats, list } = await this.#look(market);
    const video = list.videos.find((one) => one.id === id);
    if (!video) throw refused(say('trade.notListed'), 'video', say('trade.notListed.hint'));
    const from = await payer(wallet).catch(QuarryError.from);
    const genesis = await payments.genesis().catch(QuarryError.from);
    const balance = from instanceof QuarryError ? from : await payments.spendable(from).catch(QuarryError.from);
    const [cap, spent] = [capOf(choice()), await this.purchases.spent()];
    const facts = { video, stats, host: client.host, from, genesis, balance, cap, spent, now: now() };
    return dryRun({ ...facts, balance: from instanceof QuarryError ? 0n : balance });
  }

  /** Locks a video. @throws as {@link Purchases.buy} */
  async buy(video: string, price: string): Promise<OwnPurchase> {
    const market = await this.chosen();
    const { list } = await this.#look(market);
    const listed = list.videos.find(({ id }) => id === video);
    if (!listed) throw refused(say('trade.notListed'), 'video', say('trade.notListed.hint'));
    if (listed.price !== price) throw refused(say('trade.otherPrice'), 'price');
    this.#shelf = undefined; // what is there is another then
    return this.purchases.buy(market, listed);
  }

  draftPayment(id: string): Promise<ChainDraft> {
    return this.purchases.draft(id);
  }

  draftRepayment(id: string, purchase: string): Promise<ChainDraft> {
    return this.#repayments.draft(id, purchase);
  }

  /** Signs and sends a draft of a payment or a repayment, and tells of it until it is known what came of it; it goes on without whoever listens. */
  async *pay(
    input: { id: string; password: string | null; typed?: string | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<SentCall, void, undefined> {
    const { bill, call } = await this.#safe.send(input, this.#closing.signal);
    bill.signed();
    yield* this.#options.payments.watch(call.id, signal);
  }

  /** Before a long film is made for nobody. @throws BAD_REQUEST where no market is set, and where the recording is not ready */
  async mayOffer(recording: string): Promise<void> {
    await this.chosen();
    await this.#options.recordings.refuseUnlessReady(recording);
  }

  /** Writes down what would be offered. */
  async prepareOffer(
    video: OfferedVideo,
    { seller, ...terms }: Omit<OfferTerms, 'seller'> & { seller?: string | undefined },
  ) {
    const market = this.#chosen();
    const payee = seller ?? (await this.#options.payer(market.wallet));
    return this.offers.prepare(market, video, { ...terms, seller: payee });
  }

  /** The market that is set. @throws BAD_REQUEST where none is, or not all that it takes */
  chosen(): Promise<OpenMarket> {
    return this.#market(this.#chosen());
  }

  async #look({ client, url, key, wallet, hotkey }: OpenMarket) {
    const { now = Date.now } = this.#options;
    const of = JSON.stringify([url, key, wallet, hotkey]);
    if (this.#shelf?.of === of && now() - this.#shelf.at < FRESH_MS) return this.#shelf.shelf;
    const ask = async () => {
      const stats = await client.stats(this.#closing.signal);
      return { stats, list: await client.list(this.#closing.signal) };
    };
    const looked = { at: now(), of, shelf: ask() };
    this.#shelf = looked;
    looked.shelf.catch(() => {
      if (this.#shelf === looked) this.#shelf = undefined; // who asks again asks anew
    });
    return looked.shelf;
  }

  #chosen(): Omit<OpenMarket, 'client'> {
    const { url, key, wallet, hotkey } = this.#options.choice();
    if (url && key && wallet) return { url, key, wallet, hotkey };
    const missing = Object.entries({ 'trade.url': url, 'trade.key': key, 'trade.wallet': wallet });
    const names = missing.flatMap(([name, value]) => (value ? [] : [name]));
    throw refused(say('trade.notSet', { missing: names }), names[0], say('trade.notSet.hint'));
  }

  async #market({ url, key, wallet, hotkey }: Omit<OpenMarket, 'client'>): Promise<OpenMarket> {
    const name = JSON.stringify([wallet, hotkey]);
    const opening = this.#hotkeys.get(name) ?? this.#options.openHotkey(wallet, hotkey);
    this.#hotkeys.set(name, opening);
    opening.catch(() => this.#hotkeys.delete(name));
    const { now } = this.#options;
    const client = new MarketClient({ url, key, signer: await opening, ...(now && { now }) });
    return { client, url, key, wallet, hotkey };
  }
}

/** Rao. */
const capOf = ({ dailyCap }: MarketChoice): bigint => raoOfTao(dailyCap);

function statsView({ listed, day, own, terms: { lockMs, maxVideoBytes } }: MarketStats): MarketShelf['stats'] {
  return { listed, day, own, lockMs, maxVideoBytes };
}
