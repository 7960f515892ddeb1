import { z } from 'zod';
import type { ChainEvent } from '../../chain/runtime.ts';
import { address, bigNumber, number } from '../../chain/shapes.ts';
import type { SentAction } from './prepared-call.ts';

/** What tells of an account and an amount. */
const OF_ACCOUNT = z.tuple([address, bigNumber]).rest(z.unknown());
const TRANSFER = z.tuple([address, address, bigNumber]).rest(z.unknown());
/** Coldkey, hotkey, rao, alpha, subnet; from runtime 257 on the pool's fee stands behind them. Others are not read. */
const STAKE = z.tuple([address, address, bigNumber, bigNumber, number]).rest(z.unknown());
/** From runtime 401 on: who, subnet, alpha, and the rao that it brought. */
const ALPHA_FEE = z.tuple([address, number, bigNumber, bigNumber]).rest(z.unknown());

/** Amounts that events of a pallet tell of an account, in order. Rao. */
export function amountsOf(
  events: readonly ChainEvent[],
  pallet: string,
  names: readonly string[],
  account: string,
): bigint[] {
  return toldBy(OF_ACCOUNT, events, pallet, names).flatMap(([who, amount]) => (who === account ? [amount] : []));
}

/** What was sent from one account to another, in all; undefined where no event tells. Rao. */
export function transferred(
  events: readonly ChainEvent[],
  { signer, target }: Pick<SentAction, 'signer' | 'target'>,
): bigint | undefined {
  const all = toldBy(TRANSFER, events, 'balances', ['Transfer']);
  return inAll(all.flatMap(([from, to, amount]) => (from === signer && to === target ? [amount] : [])));
}

/**
 * Rao that went into a stake, or came out of one, with the hotkey and on the subnet that were meant; undefined where no event tells.
 * A fee that was taken in alpha is a stake that was taken out, too: that one is left out.
 */
export function stakedRao(
  events: readonly ChainEvent[],
  name: 'StakeAdded' | 'StakeRemoved',
  { signer, target, netuid }: SentAction,
): bigint | undefined {
  const all = toldBy(STAKE, events, 'subtensorModule', [name]).filter(
    ([coldkey, hotkey, , , subnet]) => coldkey === signer && hotkey === target && subnet === netuid,
  );
  const fee = alphaFee(events, signer);
  const feeAt = all.findIndex(([, , rao, alpha]) => rao === fee?.rao && alpha === fee.alpha);
  return inAll(all.flatMap(([, , rao], at) => (at === feeAt ? [] : [rao])));
}

/** What was taken of an account for the call; of a fee in alpha, what that brought. Undefined where no event tells. Rao. */
export function feeOf(events: readonly ChainEvent[], account: string): bigint | undefined {
  const [fee] = amountsOf(events, 'transactionPayment', ['TransactionFeePaid'], account);
  return alphaFee(events, account)?.rao ?? fee;
}

function alphaFee(events: readonly ChainEvent[], account: string): { alpha: bigint; rao: bigint } | undefined {
  const all = toldBy(ALPHA_FEE, events, 'subtensorModule', ['TransactionFeePaidWithAlpha']);
  const found = all.find(([who]) => who === account);
  return found && { alpha: found[2], rao: found[3] };
}

function toldBy<T>(shape: z.ZodType<T>, events: readonly ChainEvent[], pallet: string, names: readonly string[]): T[] {
  const named = events.filter((event) => event.pallet === pallet && names.includes(event.name));
  return named.map(({ data }) => shape.safeParse(data).data).filter((told) => told !== undefined);
}

function inAll(amounts: readonly bigint[]): bigint | undefined {
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0n);
}
