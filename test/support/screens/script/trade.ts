import type { ChainDraft } from '../../../../src-preload/contract/chain.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import { MARKET_URL } from '../sample-trade.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

/** The contract's `trade` out of a script: a market with some videos, purchases and offers in every state. */
export function script(os: ScriptedOs['trade'], answers: ScriptedData): Script<'trade'> {
  const [purchase] = answers.trade.purchases;
  const [offer] = answers.trade.offers;
  if (!purchase || !offer) throw new Error('a sample without a purchase or an offer');
  const transfer = { action: 'transfer', wallet: 'main', to: purchase.to ?? '', amount: purchase.price } as const;
  const draft: ChainDraft = {
    ...{ id: 'a draft', action: transfer, signedBy: 'coldkey', from: purchase.from ?? '', sealing: 'nacl' },
    call: { pallet: 'Balances', name: 'transferKeepAlive', args: [] },
    ...{ moves: purchase.price, amount: purchase.price, fee: '124000', left: '11500000000' },
    warnings: [told({ text: say('chainCalls.warning.newPayee') })],
    typed: (purchase.to ?? '').slice(-4),
  };
  return {
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => answers.trade,
        signal,
      ),
    ),
    state: os.state.handler(() => answers.trade),
    purchases: os.purchases.handler(() => ({ purchases: answers.trade.purchases, more: false })),
    offers: os.offers.handler(() => ({ offers: answers.trade.offers, more: false })),
    list: os.list.handler(() => answers.shelf),
    dryRun: os.dryRun.handler(({ input }) => {
      const video = answers.shelf.videos.find(({ id }) => id === input.video) ?? answers.shelf.videos[0];
      if (!video) throw new Error('a sample without a video');
      const host = new URL(MARKET_URL).host;
      const steps = [
        say('trade.step.lock', { host, minutes: 20 }),
        say('trade.step.pay', { amount: '0.084', host }),
        say('trade.step.final'),
        say('trade.step.verify', { host }),
        say('trade.step.fetch', { bytes: video.bytes }),
      ];
      return {
        ...{ video, from: purchase.from, balance: '11584124000', capLeft: '248000000', lockMs: 1_200_000 },
        ...{ steps: steps.map((text) => told({ text })), obstacles: [] },
      };
    }),
    buy: os.buy.handler(() => purchase),
    draftPayment: os.draftPayment.handler(() => draft),
    draftRepayment: os.draftRepayment.handler(() => draft),
    pay: os.pay.handler(async function* () {
      yield* answers.calls.slice(0, 1);
    }),
    revert: os.revert.handler(() => purchase),
    drop: os.drop.handler(() => purchase),
    goOn: os.goOn.handler(() => purchase),
    prepareOffer: os.prepareOffer.handler(async function* () {
      yield { type: 'prepared', offer };
    }),
    sendOffer: os.sendOffer.handler(({ input }) => {
      const goesOn = answers.trade.offers.map((one) =>
        one.id === input.id ? { ...one, rests: false, error: null } : one,
      );
      answers.trade = { ...answers.trade, offers: goesOn };
      return offer;
    }),
    appeal: os.appeal.handler(({ input }) => {
      answers.scoring.push(`appeal at the market: ${input.note}`);
      return offer;
    }),
    withdraw: os.withdraw.handler(() => undefined),
    demo: os.demo.handler(async function* () {
      yield { kind: 'note', ...told({ text: say('trade.demo.noMoney') }) };
      yield { kind: 'done', ...told({ text: say('trade.demo.recorded', { title: 'Fix a tap', minutes: 2 }) }) };
      for (let block = 1; block <= 20; block++)
        yield { kind: 'done', ...told({ text: say('trade.demo.paid', { block: String(block) }) }) };
      yield { kind: 'failure', ...told({ text: say('trade.demo.tooLate.end') }) };
    }),
  };
}
