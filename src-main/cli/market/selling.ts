import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import type { OfferPreparation, OwnOffer } from '../../../src-preload/contract/trade.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { inGroups, tao } from '../bittensor/amounts.ts';
import { type SendFlags, sendDraft } from '../bittensor/send-call.ts';
import { askYes } from '../terminal/ask-yes.ts';
import type { CommandContext } from '../terminal/command.ts';
import { durationText, table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { oneOf } from './one-of.ts';
import { ownOffers } from './own-orders.ts';

interface OfferFlags {
  /** Rao. */
  wish?: string;
  to?: string;
  note?: string;
  yes?: boolean;
}

const OFFERS = 'quarry focus market offers';
const SHORT = 8;

export async function offers({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const [all, { earned }] = [await ownOffers(node), await node.trade.state()];
    output.document({ offers: all, earned });
    if (all.length === 0) return output.line('Nothing was offered.');
    const rows = all.map(({ id, createdAt, state, score, price, title }) => [
      ...[id.slice(0, SHORT), timeText(createdAt), state, score?.toFixed(2) ?? '–', price === null ? '–' : tao(price)],
      foreignLine(title),
    ]);
    output.line(table(['ID', 'AT', 'STATE', 'SCORE', 'TAO', 'TITLE'], rows));
    for (const { id, reason, error, owed } of all) {
      const why = error?.message ?? (reason === null ? undefined : foreignLine(reason));
      if (why !== undefined) output.note(`${id.slice(0, SHORT)}: ${why}`);
      for (const { amount } of owed)
        output.note(
          `${id.slice(0, SHORT)}: ${tao(amount)} TAO came too late: quarry focus market pay-back ${id.slice(0, SHORT)}`,
        );
    }
  });
}

export async function offer(
  context: CommandContext,
  beginning: string,
  { wish, to, note, yes }: OfferFlags,
): Promise<void> {
  const { output, withNode, signal } = context;
  await withNode({}, async (node) => {
    const { recordings } = await node.focus.list({ text: '', limit: 200 });
    const { id: recording } = oneOf(recordings, beginning, 'quarry focus list');
    const wanted = {
      recording,
      wish: wish ?? null,
      ...(to !== undefined && { seller: to }),
      ...(note !== undefined && { note }),
    };
    const prepared = await preparedBy(await node.trade.prepareOffer(wanted, { signal }), new Remark(output));
    const text = leavingText(prepared);
    if (output.json) output.note(text);
    else output.line(text);
    if (!yes && !(await askYes('Send it?', 'Nothing was sent', output.json))) {
      await node.trade.withdraw({ id: prepared.id });
      throw new QuarryError({ code: 'CANCELLED', message: 'Nothing has left this computer.' });
    }
    await node.trade.sendOffer({ id: prepared.id });
    const sent = await untilSent(context, prepared.id, node.trade.watch(undefined, { signal }));
    output.document(sent);
    output.line(`✓ The market has «${foreignLine(sent.title)}». How it stands: ${OFFERS}`);
  });
}

async function preparedBy(steps: AsyncIterable<OfferPreparation>, remark: Remark): Promise<OwnOffer> {
  try {
    for await (const step of steps) {
      if (step.type === 'prepared') return step.offer;
      remark.showShare('Making the video', step.done);
    }
  } finally {
    remark.end();
  }
  throw new Error('a preparation without an end');
}

function leavingText({ title, description, bytes, durationMs, url, seller, wish, ownScore, signed }: OwnOffer): string {
  return [
    'This would leave this computer:',
    `  the video    ${durationText(durationMs)}, ${sizeText(bytes)}: everything that is to be seen and heard in it`,
    `  its title    ${foreignLine(title)}`,
    `  its text     ${foreignLine(description) || '–'}`,
    `  its score    ${ownScore.toFixed(2)} by the rules of this computer; the market scores by itself`,
    ...(signed
      ? [
          `               ${signed.score.toFixed(2)} by your model: that it is ${signed.model} at ${signed.host} is told, too`,
        ]
      : []),
    `  to           ${url}`,
    `  paid is      ${inGroups(seller)}${wish === null ? '' : `, at most ${tao(wish)} TAO`}`,
  ].join('\n');
}

/** Shows how far the upload is, until the market has all of it. */
async function untilSent(
  { output }: CommandContext,
  id: string,
  watching: Promise<AsyncIterable<{ offers: OwnOffer[] }>>,
): Promise<OwnOffer> {
  const remark = new Remark(output);
  try {
    for await (const { offers: all } of await watching) {
      const one = oneOf(all, id, OFFERS);
      if (one.error && !isOnItsWay(one)) throw new QuarryError(one.error);
      if (!isOnItsWay(one)) return one;
      remark.show(
        `Sending: ${sizeText(one.sentBytes)} of ${sizeText(one.bytes)}${one.error ? `, ${one.error.message}` : ''}`,
      );
    }
  } finally {
    remark.end();
  }
  throw new QuarryError({ code: 'CANCELLED', message: 'It goes on with the next start of the node.' });
}

const isOnItsWay = ({ state, rests }: OwnOffer) => !rests && (state === 'sending' || state === 'uploading');

/** Goes on with an offer that rests: what leaves with it was shown and confirmed before. */
export async function send(context: CommandContext, beginning: string): Promise<void> {
  const { output, withNode, signal } = context;
  await withNode({}, async (node) => {
    const { id, rests } = oneOf(await ownOffers(node), beginning, OFFERS);
    if (!rests) throw new QuarryError({ code: 'BAD_REQUEST', message: 'This offer does not rest.' });
    await node.trade.sendOffer({ id });
    const sent = await untilSent(context, id, node.trade.watch(undefined, { signal }));
    output.document(sent);
    output.line(`✓ The market has «${foreignLine(sent.title)}». How it stands: ${OFFERS}`);
  });
}

export async function withdraw({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id, title } = oneOf(await ownOffers(node), beginning, OFFERS);
    await node.trade.withdraw({ id });
    output.document({ id });
    output.line(`«${foreignLine(title)}» is no longer offered.`);
  });
}

export async function appeal({ output, withNode }: CommandContext, beginning: string, note: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id, title } = oneOf(await ownOffers(node), beginning, OFFERS);
    output.document(await node.trade.appeal({ id, note }));
    output.line(`A person of the market looks at «${foreignLine(title)}». How it stands: ${OFFERS}`);
  });
}

export async function payBack(context: CommandContext, beginning: string, flags: SendFlags): Promise<void> {
  await context.withNode({}, async (node) => {
    const { id, owed } = oneOf(await ownOffers(node), beginning, OFFERS);
    const debt = owed.find(({ isPaying }) => !isPaying);
    if (!debt)
      throw new QuarryError({ code: 'BAD_REQUEST', message: 'Nothing is owed for this offer, or it is on its way.' });
    const draft = await node.trade.draftRepayment({ id, purchase: debt.purchase });
    await sendDraft(context, node, draft, flags, (input, signal) => node.trade.pay(input, { signal }));
  });
}
