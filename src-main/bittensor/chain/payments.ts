import { z } from 'zod';
import type { UsedPayment } from '../../store/bittensor/payments.ts';
import { blockOf } from './chain-reader.ts';
import type { ChainConnection } from './connection.ts';
import { extrinsicHash } from './extrinsic.ts';
import { countPayment, type ToldCall } from './payment-rule.ts';
import type { ChainEvent } from './runtime.ts';
import { address, bigNumber, hash, header, shaped } from './shapes.ts';

/** Where a buyer says that he has paid. */
export interface PaymentClaim {
  /** Number of the block. */
  block: number;
  /** The call's hash, `0x…`. */
  extrinsic: string;
}

/** What was agreed. */
export interface PaymentTerms {
  /** What is paid for: a payment is good for one order. */
  order: string;
  /** ss58 of the buyer's coldkey, and of the seller's. */
  from: string;
  to: string;
  /** Rao. */
  atLeast: bigint;
  /** Rao: more is another payment. Default: any amount counts that is enough. */
  atMost?: bigint | undefined;
  /** Number of a block at the time of the order: what was paid before it was paid for something else. */
  since: number;
  /** Number of the last block in which a payment counts. Default: however late it comes. */
  until?: number | undefined;
}

/** A payment that counts. */
export interface Payment {
  block: { number: number; hash: string };
  /** Place among the events of the block. */
  event: number;
  /** Rao. */
  amount: bigint;
}

/** Where it is kept which payments were used. */
export interface PaymentBook {
  use(payment: UsedPayment): Promise<boolean>;
}

const TRANSFER = z.tuple([address, address, bigNumber]);

/**
 * Whether an order was paid: by what happened in a block that nothing can undo, never by what a call says that it does, because a call
 * may fail, or stand in another. What counts, {@link countPayment} says.
 *
 * The endpoint is believed in what the chain holds. Who sells for much money has a node of his own.
 *
 * @param now Unix milliseconds. Default `Date.now`
 * @throws as {@link countPayment}; what {@link ChainConnection.session} throws
 */
export async function takePayment(
  connection: Pick<ChainConnection, 'session' | 'at'>,
  book: PaymentBook,
  claim: PaymentClaim,
  terms: PaymentTerms,
  now: () => number = Date.now,
): Promise<Payment> {
  const { rpc, genesis } = await connection.session();
  const head = shaped(hash, await rpc.request('chain_getFinalizedHead'));
  const { number: finalised } = shaped(header, await rpc.request('chain_getHeader', [head]));
  const look = async ({ block: number, extrinsic: wanted }: PaymentClaim) => {
    const block = await blockOf(rpc, number);
    const place = block.extrinsics.findIndex((extrinsic) => extrinsicHash(extrinsic) === wanted);
    if (place < 0) return { hash: block.hash, call: undefined };
    return { hash: block.hash, call: callAt(place, await (await connection.at(block.hash)).events()) };
  };
  return countPayment({ genesis, finalised, look }, book, claim, terms, now);
}

/** What a block's events tell of the call in that place. */
function callAt(place: number, events: readonly ChainEvent[]): ToldCall {
  const succeeded = events.some((event) => event.extrinsic === place && isNamed(event, 'system', 'ExtrinsicSuccess'));
  const transfers = events.flatMap((event, at) => {
    if (event.extrinsic !== place || !isNamed(event, 'balances', 'Transfer')) return [];
    const [from, to, amount] = shaped(TRANSFER, event.data);
    return [{ event: at, from, to, amount }];
  });
  return { succeeded, transfers };
}

function isNamed(event: ChainEvent, pallet: string, name: string): boolean {
  return event.pallet === pallet && event.name === name;
}
