import type { ChainDraft, SentCall } from '../../../../../src-preload/contract/chain.ts';
import type { HeldBy } from '../../focus/offered-recordings.ts';
import type { Submit } from '../wire.ts';
import type { MarketClient } from './market-client.ts';

/** A transfer that is wanted. Amounts are rao. */
export interface WantedPayment {
  /** Name of the wallet that pays. */
  wallet: string;
  /** ss58 */
  to: string;
  amount: string;
}

/** By what a transfer that was signed here is known again. */
export interface PaymentTrace {
  /** Hash of the chain's first block. */
  genesis: string;
  /** ss58 */
  from: string;
  to: string;
  /** Rao. */
  amount: string;
  /** Not signed before this, Unix milliseconds. */
  since: number;
  /** What it pays for: kept with the call, so that it is never taken for the payment of something else. */
  order: string;
}

/** A transfer that somebody says is on the chain. */
export interface ClaimedTransfer {
  /** ss58 */
  from: string;
  to: string;
  /** Rao, exactly. */
  amount: string;
  /** Number of its block, and hash of the call. */
  block: number;
  extrinsic: string;
  /** It has to be in a block after this one. */
  after: number;
}

/** A call that was signed here. */
export type FoundCall = SentCall & {
  /** Whether it was signed for the order that was asked for. */
  isNamed: boolean;
};

/** The one place from which money leaves: a draft first, then a person's word. */
export interface Payments {
  /** Hash of the first block of the chain that is there. @throws CHAIN_UNREACHABLE */
  genesis(): Promise<string>;
  /** Rao that an account can send. @throws CHAIN_UNREACHABLE */
  spendable(address: string): Promise<bigint>;
  draft(wanted: WantedPayment): Promise<ChainDraft>;
  /** As `CallDesk.send`: what throws before the first call has signed nothing. */
  send(
    input: { id: string; password: string | null; typed?: string | undefined; order: string },
    signal: AbortSignal,
  ): AsyncIterable<SentCall>;
  /**
   * Transfers of this kind that were signed here, and may have come about: those of the order first, then those that are for nothing that was named, as a person sends them
   * from the wallet's page; of each the oldest first.
   */
  sent(trace: PaymentTrace): Promise<FoundCall[]>;
  /** Looks for a transfer in a block that nothing can undo. @throws BAD_REQUEST with the field `payment` where it is not there; what the chain throws */
  arrived(transfer: ClaimedTransfer): Promise<void>;
  /** A call now, and until it is known what came of it. */
  watch(id: number, signal: AbortSignal): AsyncIterable<SentCall>;
}

/** A market that is set, and with what we are there. */
export interface OpenMarket {
  client: MarketClient;
  url: string;
  key: string;
  /** Names of whoever pays and signs. */
  wallet: string;
  hotkey: string;
}

/** What becomes of recordings by their offers: see `focus/states.ts`. */
export interface OfferedRecordings {
  /** @throws BAD_REQUEST that says why a recording cannot be offered now */
  refuseUnlessReady(recording: string): Promise<void>;
  /** It is offered from now on. @throws as {@link refuseUnlessReady} */
  offer(recording: string): Promise<void>;
  /** Brings its state in line with its offers: one of them is paid, one is at a market, or none. Idempotent. */
  follow(recording: string, held: HeldBy): Promise<void>;
  /** Those that are offered. */
  offered(): Promise<string[]>;
}

/** What goes to a market, with the file that holds the video. */
export interface OfferedVideo {
  path: string;
  about: Pick<Submit, 'sha256' | 'bytes' | 'durationMs' | 'scoreCard' | 'chain' | 'title' | 'description' | 'kind'>;
}

/** What is told before the first byte of a recording leaves this computer. */
export interface Sending {
  recording: string;
  what: 'video';
  /** The market's host, and its key. */
  to: string;
  key: string;
  bytes: number;
}
