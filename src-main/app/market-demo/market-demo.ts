import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { taoText } from '../../../src-preload/contract/rao.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { TradeDemoStep } from '../../../src-preload/contract/trade.ts';
import { failingPaths } from './failing-paths.ts';
import { madeUpVideo } from './made-up-video.ts';
import { type MarketDemoOptions, openStage, type Stage, step } from './stage.ts';

/**
 * The whole way of a video on a market, in this process and on 127.0.0.1: the market and those who buy and sell there are the real ones, the chain is simulated, the recording and
 * the market's score of it are made up. No money moves, nothing leaves this computer, and nothing of it stays.
 */
export async function* marketDemo(
  options: MarketDemoOptions,
  signal: AbortSignal,
): AsyncGenerator<TradeDemoStep, void, undefined> {
  await using stack = new AsyncDisposableStack();
  const stage = await openStage(stack, options);
  yield step('note', say('trade.demo.noMoney'));
  const sold = yield* wayOfAVideo(stage, signal);
  if (options.withFailures) yield* failingPaths(stage, signal);
  yield* accounts(stage);
  yield step('note', say('trade.demo.over', { title: sold }));
}

async function* wayOfAVideo(
  { chain, seller, buyer, folder }: Stage,
  signal: AbortSignal,
): AsyncGenerator<TradeDemoStep, string> {
  const video = await madeUpVideo(folder, 'Fix a leaking tap');
  const { title, bytes, durationMs } = video.about;
  yield step('done', say('trade.demo.recorded', { title, minutes: Math.round(durationMs / 60_000) }));
  yield step('done', say('trade.demo.scored', { score: percent(video.score) }));
  const prepared = await seller.desk.prepareOffer(video, { recording: video.recording, wish: null });
  yield step('note', say('trade.demo.prepared', { bytes, to: new URL(prepared.url).host }));
  await seller.desk.offers.send(prepared.id);
  const listed = await seller.untilOffer(
    prepared.id,
    ({ state, price }) => state === 'submitted' && price !== null,
    signal,
  );
  const price = listed.price ?? '0';
  yield step('done', say('trade.demo.listed', { score: percent(listed.score ?? 0), price: taoText(BigInt(price)) }));
  const { videos } = await buyer.desk.list();
  const found = videos.find((one) => one.title === title);
  if (!found) throw new Error('what was listed is not in the list');
  yield step('done', say('trade.demo.found', { count: videos.length }));
  const [obstacle] = (await buyer.desk.dryRun(found.id)).obstacles;
  if (obstacle) throw new QuarryError(obstacle);
  yield step('done', say('trade.demo.dryRun'));
  const { id } = await buyer.desk.buy(found.id, price);
  yield step('done', say('trade.demo.locked'));
  const draft = await buyer.desk.draftPayment(id);
  yield step('note', say('trade.demo.draft', { amount: taoText(BigInt(draft.moves)), to: seller.coldkey }));
  await buyer.pay(draft, signal);
  const paid = await buyer.until(id, ['paid', 'bought', 'fetched'], signal);
  yield step('done', say('trade.demo.paid', { block: String(paid.call?.block ?? chain.finalised) }));
  yield step(
    'done',
    say('trade.demo.verified', { state: (await buyer.until(id, ['bought', 'fetched'], signal)).title }),
  );
  const { sha256 } = await buyer.until(id, ['fetched'], signal);
  yield step('done', say('trade.demo.fetched', { bytes, sha256: (sha256 ?? '').slice(0, 8) }));
  await seller.untilOffer(prepared.id, ({ state }) => state === 'purchased', signal);
  return title;
}

/** What the first buyer paid, and what the seller had, got and has: each line adds up with those before it. */
async function* accounts({ chain, seller, buyer }: Stage): AsyncGenerator<TradeDemoStep, void> {
  const ann = chain.account(buyer.coldkey);
  const [paid, fee] = [taoText(ann.went), taoText(ann.fees)];
  yield step('done', say('trade.demo.buyer', { before: taoText(ann.before), paid, fee, after: taoText(ann.after) }));
  const { earned, offers } = await seller.desk.state();
  const sold = BigInt(earned.settled);
  const count = offers.filter(({ state }) => state === 'purchased').length;
  const sam = chain.account(seller.coldkey);
  yield step('note', say('trade.demo.before', { before: taoText(sam.before) }));
  yield step('note', say('trade.demo.sold', { earned: taoText(sold), count }));
  if (sam.came > sold) yield step('note', say('trade.demo.unsold', { amount: taoText(sam.came - sold) }));
  if (sam.went > 0n) yield step('note', say('trade.demo.back', { amount: taoText(sam.went), fee: taoText(sam.fees) }));
  yield step('done', say('trade.demo.after', { after: taoText(sam.after) }));
}

const percent = (share: number) => Math.round(share * 100);
