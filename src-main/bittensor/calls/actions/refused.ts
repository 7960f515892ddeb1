import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';

const U64_MAX = 2n ** 64n - 1n;

/** What was asked for cannot be meant. */
export const refused = (message: Saying, field: string) => new QuarryError({ code: 'BAD_REQUEST', message, field });

/** What the chain would refuse, seen before it is asked. */
export function refusedByChain(message: Saying, field?: string, hint?: Saying): QuarryError {
  return new QuarryError({
    code: 'CHAIN_REFUSED',
    message,
    ...(field !== undefined && { field }),
    ...(hint && { hint }),
  });
}

/** An amount in rao, more than nothing. @throws BAD_REQUEST with the field `amount` */
export function positive(amount: string): bigint {
  const rao = u64(amount, 'amount');
  if (rao > 0n) return rao;
  throw refused(say('chainCalls.noAmount'), 'amount');
}

/** A number that the chain can hold. @throws BAD_REQUEST with the field */
export function u64(number: string, field: string): bigint {
  const value = BigInt(number);
  if (value <= U64_MAX) return value;
  throw refused(say('chainCalls.tooMuch'), field);
}
