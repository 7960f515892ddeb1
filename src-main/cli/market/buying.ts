import { constants, copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import type { DryRun, OwnPurchase, PurchaseStep } from '../../../src-preload/contract/trade.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { inGroups, tao } from '../bittensor/amounts.ts';
import { type SendFlags, sendDraft } from '../bittensor/send-call.ts';
import type { CommandContext } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { durationText, table, timeText } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { NO_MARKET } from './no-market.ts';
import { oneOf } from './one-of.ts';
import { ownPurchases } from './own-orders.ts';

interface ListFlags {
  kind?: string;
  leastScore?: number;
  /** Rao. */
  most?: string;
}

const LIST = 'quarry focus market list';
const PURCHASES = 'quarry focus market purchases';
/** Nothing more comes of them by itself. */
const AT_REST: readonly PurchaseStep[] = ['fetched', 'settled', 'refused', 'reverted', 'expired'];
const SHORT = 8;

export async function listVideos(
  { output, withNode }: CommandContext,
  { kind, leastScore = 0, most }: ListFlags,
): Promise<void> {
  await withNode({}, async (node) => {
    const { videos, stats } = await node.trade.list();
    const isWanted = (one: (typeof videos)[number]) =>
      (kind === undefined || one.kind === kind) &&
      one.score >= leastScore &&
      (most === undefined || BigInt(one.price) <= BigInt(most));
    const wanted = videos.filter(isWanted);
    output.document({ videos: wanted, stats });
    if (wanted.length === 0)
      return output.line(videos.length === 0 ? 'Nothing is for sale now.' : 'Nothing like that is for sale now.');
    const rows = wanted.map(({ id, kind, score, durationMs, bytes, price, title }) => [
      ...[id.slice(0, SHORT), kind, score.toFixed(2), durationText(durationMs), sizeText(bytes), tao(price)],
      foreignLine(title),
    ]);
    output.line(table(['ID', 'KIND', 'SCORE', 'LENGTH', 'SIZE', 'TAO', 'TITLE'], rows));
  });
}

export async function buy(
  context: CommandContext,
  beginning: string,
  { dryRun, ...flags }: SendFlags & { dryRun?: boolean },
): Promise<void> {
  const { output, withNode, signal } = context;
  await withNode({}, async (node) => {
    const { videos } = await node.trade.list();
    const { id: video, price } = oneOf(videos, beginning, LIST);
    const run = await node.trade.dryRun({ video });
    if (dryRun) output.document(run);
    output.line(dryRunText(run));
    if (dryRun) return output.line('Nothing was kept for you, and nothing spent.');
    const [obstacle] = run.obstacles;
    if (obstacle) throw new QuarryError(obstacle);
    const { id } = await node.trade.buy({ video, price });
    const draft = await node.trade.draftPayment({ id });
    try {
      await sendDraft(context, node, draft, flags, (input, until) => node.trade.pay(input, { signal: until }));
    } catch (error) {
      const { state } = await purchaseOf(node, id);
      if (state === 'locked') await node.trade.revert({ id });
      if (state === 'locked') output.note('The market no longer keeps it for you.');
      throw error;
    }
    await fetched(context, node, id, signal);
  });
}

function dryRunText({ video, from, balance, capLeft, steps, obstacles }: DryRun): string {
  return [
    `${foreignLine(video.title)}: ${tao(video.price)} TAO, score ${video.score.toFixed(2)}, ${durationText(video.durationMs)}, ${sizeText(video.bytes)}`,
    `  paid by      ${from === null ? '–' : inGroups(from)}${balance === null ? '' : `, which has ${tao(balance)} TAO`}`,
    `  paid to      ${inGroups(video.seller)}, who sells it and gets all of it`,
    `  of the limit ${capLeft === null ? 'nothing is left' : `${tao(capLeft)} TAO would be left for today`}`,
    ...steps.map(({ text }, index) => `  ${index + 1}. ${text}`),
    ...obstacles.map(({ message, hint }) => `✗ ${message}${hint === undefined ? '' : ` ${hint}`}`),
  ].join('\n');
}

export async function purchases({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await ownPurchases(node);
    output.document(all);
    if (all.length === 0) return output.line('Nothing was bought.');
    const rows = all.map(({ id, createdAt, state, price, call, title }) => [
      ...[id.slice(0, SHORT), timeText(createdAt), state, tao(price), call?.block ?? '–'],
      foreignLine(title),
    ]);
    output.line(table(['ID', 'AT', 'STATE', 'TAO', 'BLOCK', 'TITLE'], rows));
    for (const { id, error } of all) if (error) output.note(`${id.slice(0, SHORT)}: ${error.message}`);
  });
}

export async function fetchVideo(context: CommandContext, beginning: string, file?: string | object): Promise<void> {
  await context.withNode({}, async (node) => {
    const { id } = oneOf(await ownPurchases(node), beginning, PURCHASES);
    const purchase = await fetched(context, node, id, context.signal);
    if (typeof file !== 'string' || purchase.file === null) return;
    await copyFile(purchase.file, resolve(file), constants.COPYFILE_EXCL);
    context.output.line(`${file}: ${sizeText(purchase.bytes ?? 0)}`);
  });
}

export async function revert({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id } = oneOf(await ownPurchases(node), beginning, PURCHASES);
    const purchase = await node.trade.revert({ id });
    output.document(purchase);
    output.line(`«${foreignLine(purchase.title)}» is no longer kept for you. Nothing was paid.`);
  });
}

export async function drop({ output, withNode }: CommandContext, beginning: string): Promise<void> {
  await withNode({}, async (node) => {
    const { id } = oneOf(await ownPurchases(node), beginning, PURCHASES);
    const purchase = await node.trade.drop({ id });
    output.document(purchase);
    output.line(
      `«${foreignLine(purchase.title)}» is forgotten here. Nothing was paid, and the market was told nothing.`,
    );
  });
}

/** Goes on with a purchase, and waits until its video is here. @throws why it rests before that */
async function fetched(
  { output }: CommandContext,
  node: NodeClient,
  id: string,
  signal: AbortSignal,
): Promise<OwnPurchase> {
  await node.trade.goOn({ id });
  const remark = new Remark(output);
  try {
    for await (const { purchases: all } of await node.trade.watch(undefined, { signal })) {
      const purchase = all.find((one) => one.id === id) ?? (await purchaseOf(node, id)); // an old one is not shown once it is over
      if (purchase.state === 'fetched') {
        remark.end();
        output.document(purchase);
        output.line(`✓ ${purchase.file}: ${sizeText(purchase.bytes ?? 0)}`);
        return purchase;
      }
      if (AT_REST.includes(purchase.state) || purchase.state === 'locked') throw restingAt(purchase);
      remark.show(PROGRESS[purchase.state] ?? purchase.state);
    }
  } finally {
    remark.end();
  }
  throw new QuarryError({ code: 'CANCELLED', message: 'It goes on by itself while a node runs.' });
}

const PROGRESS: Partial<Record<PurchaseStep, string>> = {
  locking: 'The market is asked to keep it…',
  paying: 'Waiting until nothing can undo the payment…',
  paid: 'The market looks for the payment…',
  bought: 'Fetching the video…',
  owed: 'Paid too late: waiting until it is paid back, or free…',
};

function restingAt({ state, error }: OwnPurchase): QuarryError {
  if (error) return new QuarryError(error);
  const message = state === 'locked' ? 'It is not paid yet.' : `It is over: ${state}.`;
  return new QuarryError({ code: 'BAD_REQUEST', message, hint: `${PURCHASES} shows how it stands.` });
}

async function purchaseOf(node: NodeClient, id: string): Promise<OwnPurchase> {
  return oneOf(await ownPurchases(node), id, PURCHASES);
}

export async function status({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const { purchases: _, offers: __, ...state } = await node.trade.state();
    const shelf = state.market ? await node.trade.list() : undefined;
    output.document({ ...state, stats: shelf?.stats ?? null });
    if (!state.market) return output.line(NO_MARKET);
    const { url, wallet, hotkey } = state.market;
    const banned = shelf?.stats.own.bannedUntil;
    output.line(`${url}, as ${wallet}/${hotkey}`);
    output.line(`Of ${tao(state.cap)} TAO a day ${tao(state.spent)} TAO are spent or bound.`);
    output.line(
      `Earned, the market says: ${tao(state.earned.settled)} TAO, and ${tao(state.earned.pending)} TAO are about to come.`,
    );
    if (shelf)
      output.line(`The market has ${shelf.stats.listed} videos, and ${tao(shelf.stats.day.left)} TAO left for today.`);
    if (banned) output.line(`It sells you nothing until ${timeText(banned)}.`);
  });
}
