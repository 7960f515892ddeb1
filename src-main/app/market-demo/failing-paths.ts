import { taoText } from '../../../src-preload/contract/rao.ts';
import { say, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { OwnPurchase, TradeDemoStep } from '../../../src-preload/contract/trade.ts';
import { isRefusal } from '../../subnets/omega/market/client/market-problems.ts';
import { madeUpVideo } from './made-up-video.ts';
import type { Participant } from './participant.ts';
import { type Stage, step } from './stage.ts';

type Steps = AsyncGenerator<TradeDemoStep, void, undefined>;

/** What goes wrong on a market, and what comes of it: a transfer that fails in its block, one of too little, and one that comes too late. */
export async function* failingPaths(stage: Stage, signal: AbortSignal): Steps {
  yield* failedTransfer(stage, signal);
  yield* wrongAmount(stage, signal);
  yield* tooLate(stage, signal);
}

/** A call that is in a block and did nothing is no payment: what the original market missed. */
async function* failedTransfer(stage: Stage, signal: AbortSignal): Steps {
  const buyer = await stage.come('cleo');
  yield step('note', say('trade.demo.failedTransfer'));
  const { id } = await boughtBy(stage, buyer, 'Sew on a button', signal);
  buyer.payments.failsNext = true;
  await buyer.pay(await buyer.desk.draftPayment(id), signal);
  const { error } = await buyer.until(id, ['locked'], signal);
  yield step('failure', say('trade.demo.failedTransfer.end', { reason: error ? wordsOf(error, 'message') : '' }));
  await buyer.pay(await buyer.desk.draftPayment(id), signal);
  await buyer.until(id, ['fetched'], signal);
  yield step('done', say('trade.demo.failedTransfer.again'));
}

async function* wrongAmount(stage: Stage, signal: AbortSignal): Steps {
  const { chain } = stage;
  const buyer = await stage.come('dora');
  yield step('note', say('trade.demo.wrongAmount'));
  const purchase = await boughtBy(stage, buyer, 'Sharpen a knife', signal);
  const transfer = chain.handIn({ from: buyer.coldkey, to: purchase.to ?? '', amount: BigInt(purchase.price) - 1n });
  const refusal = await claim(stage, buyer, purchase, transfer, signal);
  if (!isRefusal(refusal, 'PAYMENT')) throw new Error('too little was not refused', { cause: refusal });
  yield step('failure', say('trade.demo.wrongAmount.end'));
  await buyer.desk.purchases.revert(purchase.id);
  yield step('done', say('trade.demo.reverted'));
}

/** Who pays when somebody else has the video is owed the money. */
async function* tooLate(stage: Stage, signal: AbortSignal): Steps {
  const { chain, seller } = stage;
  const [buyer, late] = [await stage.come('eve'), await stage.come('ben')];
  yield step('note', say('trade.demo.tooLate'));
  const missed = await boughtBy(stage, late, 'Oil a chain', signal);
  await late.desk.purchases.revert(missed.id); // as if the time to pay had run out
  const bought = await boughtBy(stage, buyer, undefined, signal, missed.video);
  await buyer.pay(await buyer.desk.draftPayment(bought.id), signal);
  await buyer.until(bought.id, ['fetched'], signal);
  const transfer = chain.handIn({ from: late.coldkey, to: missed.to ?? '', amount: BigInt(missed.price) });
  await claim(stage, late, missed, transfer, signal);
  yield step('failure', say('trade.demo.tooLate.end'));
  const offers = await seller.desk.offers.list();
  const offer = offers.find(({ title }) => title === missed.title);
  if (!offer) throw new Error('an offer is gone');
  seller.desk.offers.lookSoon();
  const { owed } = await seller.untilOffer(offer.id, (one) => one.owed.length > 0, signal);
  const [debt] = owed;
  await seller.pay(await seller.desk.draftRepayment(offer.id, debt?.purchase ?? ''), signal);
  await seller.untilOffer(offer.id, (one) => one.owed.length === 0, signal);
  yield step('done', say('trade.demo.tooLate.repaid', { amount: taoText(BigInt(debt?.amount ?? 0)) }));
}

/** Somebody locks a video, which is offered first where it has a title. */
async function boughtBy(
  stage: Stage,
  who: Participant,
  title: string | undefined,
  signal: AbortSignal,
  id?: string,
): Promise<OwnPurchase> {
  if (title !== undefined) {
    const video = await madeUpVideo(stage.folder, title);
    const prepared = await stage.seller.desk.prepareOffer(video, { recording: video.recording, wish: null });
    await stage.seller.desk.offers.send(prepared.id);
    await stage.seller.untilOffer(prepared.id, ({ state }) => state === 'submitted', signal);
  }
  const { videos } = await who.desk.list();
  const found = videos.find((one) => (id === undefined ? one.title === title : one.id === id));
  if (!found) throw new Error('what was listed is not in the list');
  return who.desk.buy(found.id, found.price);
}

/** Tells the market of a transfer that was made by hand, once it is final. @returns what the market says against it */
async function claim(
  { chain }: Stage,
  who: Participant,
  { video }: OwnPurchase,
  transfer: { hash: string; block?: number },
  signal: AbortSignal,
): Promise<unknown> {
  while (transfer.block === undefined || transfer.block > chain.finalised) {
    await chain.changes.after(chain.changes.count, signal);
    signal.throwIfAborted();
  }
  const { client } = await who.desk.chosen();
  const { purchases } = await client.purchases(undefined, signal);
  const order = purchases.find((one) => one.video === video);
  if (!order) throw new Error('a purchase is gone');
  const paid = { block: transfer.block, extrinsic: transfer.hash };
  return client.verify(order.id, paid, signal).catch((refusal: unknown) => refusal);
}
