import { link, rm } from 'node:fs/promises';
import { SHORTEST_RECORDING_MS } from '../../../../src-preload/contract/focus-limits.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { OfferPreparation, TradeDemoStep, TradeState } from '../../../../src-preload/contract/trade.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { makeFolder } from '../../../base/folder.ts';
import { sha256OfFile } from '../../../base/sha256.ts';
import { watched } from '../../../base/watched.ts';
import { addressUnknown } from '../../../bittensor/wallet/refusals.ts';
import type { Wallets } from '../../../bittensor/wallet/wallets.ts';
import { FocusRecordingStore } from '../../../store/focus/focus-recordings.ts';
import { MarketOrderStore } from '../../../store/market/market-orders.ts';
import { arrived } from '../../../subnets/omega/market/client/claimed-transfer.ts';
import { MarketDesk } from '../../../subnets/omega/market/client/desk/market-desk.ts';
import { refused } from '../../../subnets/omega/market/client/market-problems.ts';
import type { OfferedVideo, Payments, Sending } from '../../../subnets/omega/market/client/ports.ts';
import { newOfferFile, offerClaim } from '../../../subnets/omega/market/client/selling/offer-claim.ts';
import type { ChainPart } from '../bittensor/chain.ts';
import { unattendedHotkey } from '../bittensor/unattended-hotkey.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import type { FocusPart } from './focus.ts';

/** What is wanted of an offer beside the recording. */
export interface OfferWish {
  recording: string;
  /** Rao, at most; null for the market's price. */
  wish: string | null;
  /** ss58 of who is paid. Default: the wallet that is set. */
  seller?: string | undefined;
  /** In the place of the recording's description. */
  note?: string | undefined;
}

/** Buying and selling videos at a market. */
export interface TradePart {
  readonly desk: MarketDesk;
  watch(signal?: AbortSignal): AsyncGenerator<TradeState, void, undefined>;
  /** Makes the video of a recording and writes down what would be sent. Nothing leaves this computer. */
  prepareOffer(wish: OfferWish, signal?: AbortSignal): AsyncGenerator<OfferPreparation, void, undefined>;
  /** See `../../market-demo/market-demo.ts`. */
  demo(how: { withFailures: boolean }, signal?: AbortSignal): AsyncGenerator<TradeDemoStep, void, undefined>;
}

export interface TradeNeeds {
  chain: ChainPart;
  wallet: WalletPart;
  focus: FocusPart;
  /** Told before the first byte of a recording leaves this computer; where it throws, none does. */
  onSending: (sending: Sending) => Promise<void>;
  /** Whether the node does: what a single command began, the next node goes on with. */
  stays: boolean;
}

export async function openTrade(
  core: Core,
  { chain, wallet: { wallets }, focus, onSending, stays }: TradeNeeds,
): Promise<TradePart> {
  const { config, settings, db, changes, log, until, onClose } = core;
  const followed = settings.follow('trade');
  const folder = dataPath(config.dataDir, 'trade');
  const desk = new MarketDesk({
    store: new MarketOrderStore(db),
    choice: () => followed.now,
    payments: paymentsOf(chain, until),
    payer: async (wallet) => addressOf(await wallets(), wallet),
    openHotkey: async (wallet, hotkey) => unattendedHotkey(await wallets(), { wallet, hotkey }, 'trade.hotkey'),
    recordings: focus.scores.offered,
    onSending,
    folder,
    changes,
    log,
  });
  onClose(() => desk.close());
  if (stays) await desk.open();
  return {
    desk,
    watch: (signal) => watched(() => desk.state(), changes, until(signal)),
    async *demo(how, signal) {
      const { marketDemo } = await import('../../market-demo/market-demo.ts'); // few look at it
      yield* marketDemo({ ...how, log }, until(signal));
    },
    async *prepareOffer({ note, ...terms }, signal) {
      await desk.mayOffer(terms.recording);
      for await (const step of offeredVideo(core, focus, { ...terms, note, folder }, until(signal))) {
        if ('done' in step) yield { type: 'progress', done: step.done };
        else yield { type: 'prepared', offer: await preparedBy(desk, step, terms) };
      }
    },
  };
}

async function preparedBy(desk: MarketDesk, video: OfferedVideo, terms: Omit<OfferWish, 'note'>) {
  try {
    return await desk.prepareOffer(video, terms);
  } catch (error) {
    await rm(video.path, { force: true });
    throw error;
  }
}

/** The node's own desk for calls. */
function paymentsOf(chain: ChainPart, until: Core['until']): Payments {
  return {
    genesis: () => chain.genesis(),
    async spendable(address) {
      const [account] = await chain.accounts([address]);
      return BigInt(account?.spendable ?? 0);
    },
    draft: (wanted) => chain.draft({ action: 'transfer', ...wanted }),
    send: ({ order: purpose, ...input }, signal) => chain.send({ ...input, purpose }, until(signal)),
    sent: ({ genesis, from: signer, to: target, amount: moves, since: at, order: purpose }) =>
      chain.transfers({ genesis, signer, target, moves, at, purpose }),
    arrived: (transfer) => arrived(chain.takePayment, transfer),
    watch: (id, signal) => chain.follow(id, signal),
  };
}

async function addressOf(wallets: Wallets, wallet: string): Promise<string> {
  const { address } = await wallets.find({ wallet });
  if (address !== null) return address;
  throw addressUnknown({ wallet }, 'trade.wallet');
}

/** What a market gets is all of it, and nothing about it that is not asked for. */
const AS_IT_IS = { mute: false, boxes: [], container: 'webm' as const, metadata: false };

/** The video of a recording, in a file of its own that stays until the market has it, with what the rules here say of it. */
async function* offeredVideo(
  { db, identity }: Core,
  { library, videos, scores }: FocusPart,
  { recording, note, folder }: Pick<OfferWish, 'recording' | 'note'> & { folder: string },
  signal: AbortSignal,
): AsyncGenerator<{ done: number } | OfferedVideo, void, undefined> {
  const about = await library.get(recording);
  if (about.activeMs < SHORTEST_RECORDING_MS) throw refused(say('trade.tooShort'), 'recording');
  const end = { ...(await endOf(new FocusRecordingStore(db), recording)), node: await library.signerOf(recording) };
  await makeFolder(folder, 0o700);
  for await (const step of videos.export({ id: recording, ...AS_IT_IS }, signal)) {
    if (step.type === 'progress') {
      yield { done: step.done };
      continue;
    }
    const path = newOfferFile(folder);
    await link(step.path, path);
    const { bytes, durationMs } = step;
    const video = { sha256: await sha256OfFile(path, signal), bytes, durationMs };
    const rules = await scores.score(recording, signal);
    const { signed } = await scores.ratings.rating(recording);
    yield { path, about: offerClaim({ recording: about, note, video, end, rules, signed, at: Date.now() }, identity) };
    return;
  }
}

async function endOf(store: FocusRecordingStore, recording: string) {
  const chunks = await store.chunks(recording);
  const last = chunks.at(-1);
  if (!last) throw refused(say('focus.empty'), 'recording');
  return { chunks: chunks.length, link: last.link, signature: last.signature };
}
