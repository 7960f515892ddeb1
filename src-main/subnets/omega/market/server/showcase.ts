import { Recent } from '../../../../base/recent.ts';
import { SharedWork } from '../../../../base/shared-work.ts';
import type { ForSale, MarketStore } from '../../../../store/market/focus-market.ts';
import { budgetOf, leftOf } from '../rules/budget.ts';
import { buildList, type ListFacts } from '../rules/list.ts';
import type { MarketTerms } from '../rules/terms.ts';
import type { MarketList, MarketStats } from '../wire.ts';
import { asked, type MarketChain } from './payment-check.ts';

/** Purchases whose kinds the list looks at. */
const LOOKED_BACK = 4;
/** Videos of a kind that the list is made from: more than it shows. */
const CANDIDATES = 100;
/** For so long what is for sale is believed to be the same. */
const FRESH_MS = 1_000;

type Facts = Omit<ListFacts, 'videos'> & { videos: readonly ForSale[] };

export interface ShowcaseOptions {
  store: MarketStore;
  chain: Pick<MarketChain, 'genesis' | 'ownerOf'>;
  terms: MarketTerms;
  /** ss58 of the market’s own hotkey. */
  market: string;
  /** Rao that miners get for videos in a day. */
  pool: () => bigint;
  /** ss58 of sellers who are served first. */
  trusted: () => readonly string[];
  limits: () => { videoBytes: number; keepMs: number };
  /** Unix milliseconds, and 0 to below 1. */
  now: () => number;
  random: () => number;
}

/** What everybody may see: what is for sale, and how the day stands. */
export class Showcase {
  readonly #options: ShowcaseOptions;
  readonly #recent: Recent<Facts>;
  readonly #reading = new SharedWork<Facts>();

  constructor(options: ShowcaseOptions) {
    this.#options = options;
    this.#recent = new Recent(FRESH_MS, options.now, 1);
  }

  async list(): Promise<MarketList> {
    const { terms, now, random } = this.#options;
    const shown = buildList(await this.#facts(), terms, random);
    const videos = shown.map(({ id, title, description, kind, score, price, seller, bytes, durationMs }) => ({
      ...{ id, title, description, kind, score, price: String(price), seller, bytes, durationMs },
    }));
    return { videos, madeAt: now() };
  }

  /** Read once for all who ask within a moment, unless something came or went in it. What is shown of it is drawn for each. */
  async #facts(): Promise<Facts> {
    const asOf = String(this.#options.store.steps);
    return this.#recent.get(asOf) ?? this.#reading.take(asOf, async () => this.#recent.set(asOf, await this.#read()));
  }

  async #read(): Promise<Facts> {
    const { store, trusted } = this.#options;
    const videos = await this.#candidates();
    const sales = await store.lastSales(trusted());
    const first = new Map(trusted().map((seller) => [seller, sales.get(seller) ?? null]));
    return { videos, trusted: first, lastKinds: await store.lastKinds(LOOKED_BACK) };
  }

  /** Of what is for sale, what the list may come to show: whatever there is of one kind, or of one seller, keeps out nobody of the others. */
  async #candidates(): Promise<ForSale[]> {
    const { store, terms, trusted } = this.#options;
    const above = terms.leastShown;
    const found = await Promise.all([
      store.forSale(['marketplace'], { limit: CANDIDATES, above }),
      store.forSale(['marketplace'], { limit: CANDIDATES, above, only: trusted() }),
      store.forSale(['user', 'boosted'], { limit: CANDIDATES }),
    ]);
    return [...new Map(found.flat().map((offer) => [offer.id, offer])).values()];
  }

  /** @param hotkey of who asks: what it has spent in a day, and its share of all */
  async stats(hotkey: string): Promise<MarketStats> {
    const { store, chain, terms, market, pool, limits, now } = this.#options;
    const paid = await store.paidSince(now() - terms.windowMs);
    const sum = (some: typeof paid) => some.reduce((all, { price }) => all + price, 0n);
    const [spent, own, locked] = [sum(paid), sum(paid.filter((one) => one.hotkey === hotkey)), await store.locked()];
    const [genesis, buyer] = await asked(() => Promise.all([chain.genesis(), chain.ownerOf(hotkey)]));
    const { bannedUntil } = buyer === undefined ? { bannedUntil: null } : await store.buyer(buyer);
    const { lockMs, failures, banMs, locksAtOnce, purchasesADay } = terms;
    const { videoBytes: maxVideoBytes, keepMs } = limits();
    return {
      ...{ market, chain: genesis },
      terms: { lockMs, failures, banMs, locksAtOnce, purchasesADay, maxVideoBytes, keepMs },
      day: {
        sold: paid.length,
        spent: String(spent),
        budget: String(budgetOf(pool(), terms)),
        left: String(leftOf({ pool: pool(), spent, locked }, terms)),
      },
      listed: (await store.counts()).offers.submitted ?? 0,
      own: {
        spent: String(own),
        share: spent === 0n ? 0 : Number((own * 1_000_000n) / spent) / 1_000_000,
        bannedUntil: bannedUntil !== null && bannedUntil > now() ? bannedUntil : null,
      },
    };
  }
}
