/** Buys a video with the wallet's own desk, goes on with what an earlier life began, and says how far it is, until it has it or is killed. */
import { join } from 'node:path';
import pino from 'pino';
import { NO_RECORDINGS } from '../../src-main/app/market-demo/participant.ts';
import { Changes } from '../../src-main/base/changes.ts';
import { sentCallView } from '../../src-main/bittensor/calls/sent-call-view.ts';
import { MarketOrderStore } from '../../src-main/store/market/market-orders.ts';
import { MarketDesk } from '../../src-main/subnets/omega/market/client/desk/market-desk.ts';
import type { Payments } from '../../src-main/subnets/omega/market/client/ports.ts';
import { testSigner } from './bittensor-signer.ts';
import { openDesk } from './call-desk.ts';
import { MARKET_KEY } from './small-market.ts';

const [folder = '', chainUrl = '', marketUrl = '', coldkey = ''] = process.argv.slice(2);
const { db, desk: calls, book, chain, store, close } = await openDesk(folder, chainUrl);
book.open();
const payments: Payments = {
  genesis: () => chain.genesis(),
  spendable: async () => 10n ** 12n,
  draft: (wanted) => calls.draft({ action: 'transfer', ...wanted }),
  send: ({ order: purpose, ...input }, signal) => calls.send({ ...input, purpose }, signal),
  sent: async ({ genesis, from: signer, to: target, amount: moves, since: at, order: purpose }) => {
    const rows = await store.transfers({ genesis, signer, target, moves, at, purpose });
    return rows.map((row) => ({ ...sentCallView(row), isNamed: row.purpose !== null }));
  },
  arrived: async () => {
    throw new Error('nobody pays back here');
  },
  watch: (id, signal) => book.watch(id, signal),
};
const signer = await testSigner('//Alice');
const changes = new Changes();
const desk = new MarketDesk({
  ...{ store: new MarketOrderStore(db), payments, payer: async () => coldkey, changes },
  choice: () => ({ url: marketUrl, key: MARKET_KEY, wallet: 'main', hotkey: 'default', dailyCap: 1 }),
  openHotkey: async () => ({ ...signer, close: async () => {} }),
  recordings: NO_RECORDINGS,
  onSending: async () => {},
  ...{ folder: join(folder, 'trade'), log: pino({ level: 'silent' }) },
  ...{ between: { firstMs: 20, longestMs: 100 }, looks: { firstMs: 1_000, longestMs: 1_000 } },
});
await desk.open();
if ((await desk.purchases.list()).length === 0) {
  const { videos } = await desk.list();
  const [video] = videos;
  if (video) await desk.buy(video.id, video.price);
}
const never = new AbortController().signal;
for (let last = ''; last !== 'fetched'; ) {
  const { count } = changes;
  const [purchase] = await desk.purchases.list();
  if (purchase && purchase.state !== last) process.stdout.write(`${purchase.state}\n`);
  last = purchase?.state ?? '';
  if (purchase && last === 'locked') {
    const { id, typed } = await desk.draftPayment(purchase.id);
    await desk.pay({ id, password: null, typed }, never).next();
  } else {
    await changes.after(count, never, 100);
  }
}
await desk.close();
await close();
