import type { MarketShelf, OwnOffer, OwnPurchase, TradeState } from '../../../src-preload/contract/trade.ts';
import { NOW } from './sample-data.ts';

export const MARKET_URL = 'https://market.example';
const BUYER = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const SELLER = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';
const MARKET = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const HASH = `0x${'4f'.repeat(32)}`;

const VIDEOS: [title: string, kind: 'user' | 'boosted' | 'marketplace', score: number, rao: string, minutes: number][] =
  [
    ['Mend the brake of a bicycle and test it', 'user', 0.91, '84000000', 18],
    ['Turn a table of sales into a report with charts', 'boosted', 0.83, '61250000', 32],
    ['Find out why an import reads dates wrongly', 'user', 0.77, '32000000', 24],
    ['Plan a route for five parcels', 'marketplace', 0.68, '21000000', 9],
    ['Write and run tests for a calendar', 'user', 0.64, '17500000', 41],
  ];

/** What may be bought. */
export const shelf: MarketShelf = {
  videos: VIDEOS.map(([title, kind, score, price, minutes], index) => ({
    ...{ id: String(index + 1).padStart(32, '0'), title, description: `${title}, step by step.`, kind, score, price },
    ...{ seller: SELLER, bytes: minutes * 9_500_000, durationMs: minutes * 60_000 },
  })),
  madeAt: NOW,
  stats: {
    listed: VIDEOS.length,
    day: { sold: 14, spent: '640000000', budget: '3000000000', left: '2360000000' },
    own: { spent: '84000000', share: 0.13, bannedUntil: null },
    ...{ lockMs: 1_200_000, maxVideoBytes: 4_294_967_296 },
  },
};

function purchase(
  number: number,
  title: string,
  state: OwnPurchase['state'],
  more: Partial<OwnPurchase> = {},
): OwnPurchase {
  return {
    ...{ id: `a${number}`.padEnd(32, '0'), video: `b${number}`.padEnd(32, '0'), title, state, url: MARKET_URL },
    ...{ wallet: 'main', hotkey: 'default', price: '84000000', from: BUYER, to: SELLER, bytes: 171_000_000 },
    ...{ sha256: 'ab'.repeat(32), received: 0, lockedUntil: NOW + 900_000, keptUntil: null, call: null, file: null },
    ...{ error: null, createdAt: NOW - number * 3_600_000 },
    ...more,
  };
}

const PAID = { call: { id: 3, hash: HASH, block: 5_213_402 } };

function offer(number: number, title: string, state: OwnOffer['state'], more: Partial<OwnOffer> = {}): OwnOffer {
  return {
    ...{ id: `c${number}`.padEnd(32, '0'), recording: '6f1c1f5e-0000-4000-8000-000000000001', title, description: '' },
    ...{ kind: 'user' as const, state, url: MARKET_URL, wish: null, seller: SELLER, bytes: 212_000_000, sentBytes: 0 },
    ...{
      durationMs: 1_122_000,
      sha256: 'cd'.repeat(32),
      ownScore: 0.94,
      signed: null,
      mayAppeal: false,
      rests: false,
      score: null,
      price: null,
      reason: null,
    },
    ...{ owed: [], error: null, createdAt: NOW - number * 7_200_000, changedAt: NOW },
    ...more,
  };
}

const SCORED = { score: 0.81, price: '52000000', sentBytes: 212_000_000 };

/** How this node stands with its market: something of everything. */
export const trade: TradeState = {
  market: { url: MARKET_URL, key: MARKET, wallet: 'main', hotkey: 'default' },
  ...{ cap: '500000000', spent: '168000000' },
  purchases: [
    purchase(1, 'Find out why an import reads dates wrongly', 'locked'),
    purchase(2, 'Mend the brake of a bicycle and test it', 'bought', { ...PAID, received: 98_000_000 }),
    purchase(3, 'Plan a route for five parcels', 'fetched', { ...PAID, file: '/home/ann/.quarry/trade/a3.webm' }),
    purchase(4, 'Write and run tests for a calendar', 'expired'),
  ],
  offers: [
    offer(1, 'Mend the CSV import of a budget app', 'prepared'),
    offer(2, 'Sort a year of receipts', 'uploading', { sentBytes: 120_000_000 }),
    offer(3, 'Explain a chess opening with a board', 'submitted', SCORED),
    offer(4, 'Repair a torn jacket', 'purchased', {
      ...SCORED,
      owed: [{ purchase: 'd'.repeat(32), to: BUYER, amount: '52000000', isPaying: false }],
    }),
    offer(5, 'Watch a film', 'rejected', { score: 0.02, reason: 'A film was watched, and nothing came of it.' }),
  ],
  earned: { settled: '52000000', pending: '0', owed: '52000000' },
};
