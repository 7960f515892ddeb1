import type { z } from 'zod';
import type { ChainActionName, chainActionSchema } from '../../../../src-preload/contract/chain.ts';
import type { Saying } from '../../../../src-preload/contract/saying.ts';
import type { HiddenWeights, SentCallRow, SentCallStore } from '../../../store/bittensor/sent-calls.ts';
import type { ChainCall } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import type { SwapQuote } from '../../chain/money.ts';
import type { ChainEvent } from '../../chain/runtime.ts';
import type { Wallets } from '../../wallet/wallets.ts';

/** What is wanted of the chain, as the contract takes it. */
export type WantedAction = z.output<typeof chainActionSchema>;
export type Wanted<Name extends ChainActionName> = Extract<WantedAction, { action: Name }>;

/** What calls are made with. */
export interface CallTools {
  chain: Chain;
  wallets: Pick<Wallets, 'find' | 'list' | 'withKey'>;
  store: Pick<SentCallStore, 'hidden' | 'hasPaid' | 'mayCome'>;
}

/** An action as a call. */
export interface PreparedCall {
  call: ChainCall;
  /** What leaves the account beside the fee: the most, where there is a limit. Rao. */
  moves: bigint;
  /** The same as it would be right now, where {@link moves} is a limit. */
  now?: bigint;
  /** What is sent, staked, taken out or moved: rao, or alpha. */
  amount?: bigint;
  /** Without enough TAO, its fee is taken of the alpha that it sells: runtimes from 401 on, which have an event for it. */
  feeInAlpha?: boolean;
  /** Payee, or the hotkey that it is about. */
  target: string | null;
  netuid: number | null;
  swap?: SwapQuote;
  /** Weights that it commits to: kept before it is sent. */
  hides?: HiddenWeights;
  /** The commit that it reveals. */
  reveals?: number;
  /** It is another one each time that it is made: what it holds is locked to a moment. */
  fleeting?: boolean;
  /** What it takes the place of, for a person: empty where that is no plain text. */
  replaces?: string;
  warnings?: Saying[];
}

/** What should be known before a call is sent, and what a person has to type: the password alone is typed without looking. */
export interface Caution {
  warnings: Saying[];
  typed?: string;
}

/** A call that was sent, as far as its events have to be told from others. */
export type SentAction = Pick<SentCallRow, 'action' | 'signer' | 'target' | 'netuid'>;

/** One thing that can be wanted of the chain. Each has a file in `actions/`. */
export interface Action<Name extends ChainActionName> {
  /**
   * The call that it would be, right now.
   * @throws BAD_REQUEST with the field at fault; CHAIN_REFUSED for what the chain would refuse, as far as it can be seen
   */
  prepare(tools: CallTools, wanted: Wanted<Name>): Promise<PreparedCall>;
  /** What should be known of it. @param can what the account can send, rao */
  caution?(
    tools: Pick<CallTools, 'chain' | 'store'>,
    wanted: Wanted<Name>,
    prepared: PreparedCall,
    can: bigint,
  ): Promise<Caution> | Caution;
  /** Rao that it has moved, by the events of its extrinsic; undefined where none tells. @param fee rao, where an event told */
  moved?(events: readonly ChainEvent[], sent: SentAction, fee: bigint | undefined): bigint | undefined;
}
