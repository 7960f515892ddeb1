import type { Core } from '../parts/core.ts';
import type { TradePart } from '../parts/focus/trade.ts';
import { confidential } from './confidential.ts';
import type { Domain } from './implementer.ts';

/** The contract's `trade`. */
export function tradeRoutes(
  { os, named }: Domain<'trade'>,
  { desk, watch, prepareOffer, demo }: TradePart,
  { until }: Pick<Core, 'until'>,
) {
  return {
    watch: os.watch.handler(({ signal }) => named(watch(signal))),
    state: os.state.handler(() => desk.state()),
    purchases: os.purchases.handler(({ input }) => desk.purchases.page(input)),
    offers: os.offers.handler(({ input }) => desk.offers.page(input)),
    list: os.list.handler(() => desk.list()),
    dryRun: os.dryRun.handler(({ input }) => desk.dryRun(input.video)),
    buy: os.buy.handler(({ input }) => desk.buy(input.video, input.price)),
    draftPayment: os.draftPayment.handler(({ input }) => desk.draftPayment(input.id)),
    draftRepayment: os.draftRepayment.handler(({ input }) => desk.draftRepayment(input.id, input.purchase)),
    pay: os.pay.use(confidential).handler(({ input, signal }) => named(desk.pay(input, until(signal)))),
    revert: os.revert.handler(({ input }) => desk.purchases.revert(input.id)),
    drop: os.drop.handler(({ input }) => desk.purchases.drop(input.id)),
    goOn: os.goOn.handler(({ input }) => desk.purchases.goOn(input.id)),
    prepareOffer: os.prepareOffer.handler(({ input, signal }) => named(prepareOffer(input, signal))),
    sendOffer: os.sendOffer.handler(({ input }) => desk.offers.send(input.id)),
    demo: os.demo.handler(({ input, signal }) => named(demo(input, signal))),
    appeal: os.appeal.handler(({ input }) => desk.offers.appeal(input.id, input.note)),
    withdraw: os.withdraw.handler(({ input }) => desk.offers.withdraw(input.id)),
  };
}
