import type { ChainActionName } from '../../../../src-preload/contract/chain.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { ChainEvent } from '../../chain/runtime.ts';
import { commitment } from './commitment.ts';
import { move } from './move.ts';
import type { Action, CallTools, Caution, PreparedCall, SentAction, WantedAction } from './prepared-call.ts';
import { register } from './register.ts';
import { reveal } from './reveal.ts';
import { serve } from './serve.ts';
import { stake } from './stake.ts';
import { feeOf } from './told-amounts.ts';
import { transfer } from './transfer.ts';
import { unstake } from './unstake.ts';
import { weights } from './weights.ts';

/** All that can be wanted of the chain. */
const ACTIONS: { [Name in ChainActionName]: Action<Name> } = {
  transfer,
  register,
  serve,
  stake,
  unstake,
  move,
  commitment,
  weights,
  reveal,
};

// The compiler cannot see that a name and what is wanted by it go together.
const actionOf = (name: ChainActionName) => ACTIONS[name] as Action<ChainActionName>;

/**
 * What an action would be, right now.
 * @throws BAD_REQUEST with the field at fault; CHAIN_REFUSED for what the chain would refuse, as far as it can be seen
 */
export function prepareCall(tools: CallTools, wanted: WantedAction): Promise<PreparedCall> {
  return actionOf(wanted.action).prepare(tools, wanted as never);
}

/**
 * Rao that can be sent after a call, at the least; null where there is not enough for it.
 * @param can what the account can send now, rao; @param fee of the call, rao
 */
export function leftAfter(
  { moves, now = moves, feeInAlpha = false }: PreparedCall,
  { can, fee }: { can: bigint; fee: bigint },
): bigint | null {
  if (can >= now + fee) return can > moves + fee ? can - moves - fee : 0n;
  return feeInAlpha && can >= moves ? can - moves : null;
}

/**
 * What should be known before a call is sent.
 * @param can what the account can send, rao; @param fee of the call, rao
 */
export async function cautionOf(
  tools: Pick<CallTools, 'chain' | 'store'>,
  wanted: WantedAction,
  prepared: PreparedCall,
  { can, fee }: { can: bigint; fee: bigint },
): Promise<Caution> {
  const special = await actionOf(wanted.action).caution?.(tools, wanted as never, prepared, can);
  const left = leftAfter(prepared, { can, fee });
  const { moves, now = moves } = prepared;
  const poor = left === null ? [say('chainCalls.warning.tooPoor')] : [];
  const inAlpha = left !== null && can < now + fee ? [say('chainCalls.warning.feeInAlpha')] : [];
  return { ...special, warnings: [...poor, ...inAlpha, ...(special?.warnings ?? []), ...(prepared.warnings ?? [])] };
}

/**
 * What a call has moved and cost, by what happened in its block: a draft knows the limit of a registration only, and what a stake would
 * have brought then. A fee that was taken in alpha is told by what that brought. Rao; undefined for what no event tells.
 */
export function movedIn(
  events: readonly ChainEvent[],
  sent: SentAction,
): { moves: bigint | undefined; fee: bigint | undefined } {
  const fee = feeOf(events, sent.signer);
  return { moves: actionOf(sent.action).moved?.(events, sent, fee), fee };
}
