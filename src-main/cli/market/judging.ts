import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { MarketReview } from '../../../src-preload/contract/market.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { CommandContext } from '../terminal/command.ts';
import { durationText, timeText } from '../terminal/output.ts';
import { oneOf } from './one-of.ts';

const REVIEWS = 'quarry focus market reviews';
const SHORT = 8;

export async function reviews({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.market.reviews();
    output.document(all);
    if (all.length === 0) return output.line('Nothing waits for a person.');
    for (const review of all) output.line(reviewText(review));
  });
}

function reviewText(review: MarketReview): string {
  const { id, title, description, kind, multiplier, seller, since, durationMs, file } = review;
  const { score, marketScore, sellerScore, reason, appeal } = review;
  return [
    `${id.slice(0, SHORT)}  ${foreignLine(title)}`,
    ...(description === '' ? [] : [`  task      ${foreignLine(description)}`]),
    `  kind      ${kind}${multiplier === 1 ? '' : ` × ${multiplier}`}, ${durationText(durationMs)}, waits since ${timeText(since)}`,
    `  market    ${marketScore.toFixed(2)}. ${foreignLine(reason)}`,
    `  seller    ${sellerScore === null ? 'told no score' : sellerScore.toFixed(2)}, ${seller}`,
    `  counts    ${score.toFixed(2)}, where you say nothing else`,
    ...(appeal === null ? [] : [`  appeal    ${foreignLine(appeal)}`]),
    `  video     ${file}`,
  ].join('\n');
}

export async function judge(
  { output, withNode }: CommandContext,
  beginning: string,
  { accept = false, score, refuse }: { accept?: boolean; score?: number; refuse?: string },
): Promise<void> {
  if (accept === (refuse !== undefined)) {
    const message = 'Say one of the two: --accept, or --refuse with the reason.';
    throw new QuarryError({ code: 'BAD_REQUEST', message, field: 'accept' });
  }
  await withNode({}, async (node) => {
    const { id, title } = oneOf(await node.market.reviews(), beginning, REVIEWS);
    const worth = score === undefined ? {} : { score };
    await node.market.judge({ id, accept, ...worth, reason: refuse ?? '' });
    output.document({ id, accept });
    output.line(`«${foreignLine(title)}» is ${accept ? 'for sale' : 'refused'}.`);
  });
}
