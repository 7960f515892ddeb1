import pino from 'pino';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import type { Offer } from '../../src-main/store/market/market-rows.ts';
import { OMEGA_TERMS } from '../../src-main/subnets/omega/market/rules/terms.ts';
import { Sales } from '../../src-main/subnets/omega/market/server/sales.ts';
import { ScriptedMarketChain } from './market-chain.ts';

export const PRICE = 10_000_000n;

/** An offer that is for sale. */
export function listedOffer(id: string, changed: Partial<Offer> = {}): Offer {
  return {
    ...{ id, hotkey: 'seller-hot', seller: 'seller-cold', title: 'Title', description: '', kind: 'user', wish: null },
    ...{ sha256: id.padEnd(64, '0'), bytes: 2_048, durationMs: 600_000, proof: '{}', state: 'submitted' },
    ...{
      nextByte: 2_048,
      score: 0.5,
      price: PRICE,
      reason: null,
      createdAt: 1,
      changedAt: 1,
      listedAt: 1,
      soldAt: null,
    },
    ...changed,
  };
}

/** Sales over a database in memory, a scripted chain, and a clock that goes when the test says so. Of `buyers`, each hotkey `x-hot` belongs to `x`. */
export async function openSales({ offers, buyers = ['ann', 'bob'] }: { offers: Offer[]; buyers?: string[] }) {
  const db = await openDatabase(':memory:');
  const store = new MarketStore(db);
  const chain = new ScriptedMarketChain();
  for (const buyer of buyers) chain.owners.set(`${buyer}-hot`, buyer);
  await store.change(async (change) => {
    for (const offer of offers) await change.addOffer(offer);
  });
  const clock = { now: 1_000_000_000 };
  let ids = 0;
  const open = (own: ScriptedMarketChain = chain) =>
    new Sales({
      ...{ store, chain: own, terms: OMEGA_TERMS, pool: () => 1_000_000_000_000n, now: () => clock.now },
      newId: () => (++ids).toString(16).padStart(32, '0'),
      log: pino({ level: 'silent' }),
    });
  return { db, store, chain, clock, open, sales: open(), close: () => db.destroy() };
}
