import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import type { UsedPayment } from '../../store/payments.ts';
import { blockOf } from './chain-reader.ts';
import type { ChainConnection } from './connection.ts';
import { extrinsicHash } from './extrinsic.ts';
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
 * may fail, or stand in another. A payment that counts is used up by that; the same order may ask again.
 *
 * The endpoint is believed in what the chain holds. Who sells for much money has a node of his own.
 *
 * @param now Unix milliseconds. Default `Date.now`
 * @throws BAD_REQUEST with the field `payment` and why for one that does not count; what {@link ChainConnection.session} throws
 */
export async function takePayment(
  connection: Pick<ChainConnection, 'session' | 'at'>,
  book: PaymentBook,
  claim: PaymentClaim,
  { order, from, to, atLeast, atMost, since, until }: PaymentTerms,
  now: () => number = Date.now,
): Promise<Payment> {
  const { rpc, genesis } = await connection.session();
  const head = shaped(hash, await rpc.request('chain_getFinalizedHead'));
  const { number: last } = shaped(header, await rpc.request('chain_getHeader', [head]));
  if (claim.block > last) throw unpaid(say('bittensor.chain.payment.notFinal'));
  if (claim.block <= since) throw unpaid(say('bittensor.chain.payment.tooOld'));
  if (until !== undefined && claim.block > until) throw unpaid(say('bittensor.chain.payment.tooLate'));
  const block = await blockOf(rpc, claim.block);
  const place = block.extrinsics.findIndex((extrinsic) => extrinsicHash(extrinsic) === claim.extrinsic);
  if (place < 0) throw unpaid(say('bittensor.chain.payment.unknown'));
  const events = await (await connection.at(block.hash)).events();
  if (!events.some((event) => event.extrinsic === place && isNamed(event, 'system', 'ExtrinsicSuccess'))) {
    throw unpaid(say('bittensor.chain.payment.failed'));
  }
  const fitting = events.flatMap((event, at) => {
    const transfer = event.extrinsic === place ? transferOf(event) : undefined;
    const fits = transfer && transfer.from === from && transfer.to === to && isWithin(transfer.amount, atLeast, atMost);
    return fits ? [{ event: at, amount: transfer.amount }] : [];
  });
  if (fitting.length === 0) throw unpaid(say('bittensor.chain.payment.other'));
  for (const { event, amount } of fitting) {
    const used = { chain: genesis, block: block.hash, event, order, usedAt: now() };
    if (await book.use(used)) return { block: { number: claim.block, hash: block.hash }, event, amount };
  }
  throw unpaid(say('bittensor.chain.payment.used'));
}

function transferOf(event: ChainEvent): { from: string; to: string; amount: bigint } | undefined {
  if (!isNamed(event, 'balances', 'Transfer')) return undefined;
  const [from, to, amount] = shaped(TRANSFER, event.data);
  return { from, to, amount };
}

function isWithin(amount: bigint, atLeast: bigint, atMost: bigint | undefined): boolean {
  return amount >= atLeast && (atMost === undefined || amount <= atMost);
}

function isNamed(event: ChainEvent, pallet: string, name: string): boolean {
  return event.pallet === pallet && event.name === name;
}

function unpaid(why: Saying): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: why, field: 'payment' });
}
