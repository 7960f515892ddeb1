import { flushCompileCache } from 'node:module';
import pino from 'pino';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import { OMEGA_TERMS } from '../../src-main/subnets/omega/market/rules/terms.ts';
import { Sales } from '../../src-main/subnets/omega/market/server/sales.ts';
import { ScriptedMarketChain } from './market-chain.ts';
import { listedOffer, PRICE } from './market-sales.ts';
import { report } from './report.ts';

/*
 * A market that sells one video after the other until it is killed: `node market-child.ts DATABASE ROUND`. What is paid on its chain is reported before it is
 * told to the market, and the sale after that.
 */

flushCompileCache(); // who is killed does not do it at the end

const [path = '', round = ''] = process.argv.slice(2);
const store = new MarketStore(await openDatabase(path));
const chain = new ScriptedMarketChain();
chain.block = 100_000 * (Number(round) + 1); // no two rounds have the same transfers
chain.owners.set('ann-hot', 'ann');
let made = 0;
const newId = () => `${round}${(++made).toString(16).padStart(8, '0')}`.padStart(32, '0');
const sales = new Sales({
  ...{ store, chain, terms: { ...OMEGA_TERMS, purchasesADay: 1e9, locksAtOnce: 1e9 }, pool: () => 10n ** 18n },
  ...{ newId, now: Date.now, log: pino({ level: 'silent' }) },
});

for (;;) {
  const video = newId();
  await store.change((change) => change.addOffer(listedOffer(video)));
  const { purchase } = await sales.lock('ann-hot', video, PRICE);
  const claim = chain.transfer({ from: 'ann', to: 'seller-cold', amount: PRICE });
  const { id } = purchase;
  await report({ paid: id, ...claim });
  await sales.verify('ann-hot', id, claim);
  await report({ sold: id });
}
