import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { isAddress } from '../address.ts';

/** Most uids of a subnet that are read: sixteen times as many as there are today. */
export const MAX_UIDS = 4_096;
/** Most subnets that are looked at: eight times as many as there may be today. */
export const MOST_SUBNETS = 1_024;

const HEX = /^0x(?:[0-9a-f]{2})*$/;
const HASH_CHARS = 66;

/** Whole numbers that fit a double: u8, u16, u32. */
export const number = z.int().nonnegative();
/** u64 and u128: numbers where they are small, `0x…` where they are not. */
export const bigNumber = z.union([number, z.string().regex(/^0x[0-9a-f]{1,32}$/)]).transform((value) => BigInt(value));
/** Fixed-point numbers come as `{ bits }`, with this many bits behind the point. */
export const fixed = z.object({ bits: bigNumber }).transform(({ bits }) => bits);
export const bytes = z.string().regex(HEX);
export const hash = bytes.length(HASH_CHARS);
export const address = z.string().refine(isAddress);
export const uids = <T>(of: z.ZodType<T>) => z.array(of).max(MAX_UIDS);

/** A block's header, of which only this is read. */
export const header = z.object({
  number: z
    .string()
    .regex(/^0x[0-9a-f]{1,8}$/)
    .transform(Number),
  parentHash: hash,
});

/**
 * What an endpoint said, held to a shape: it may be anything.
 * @throws PROTOCOL for what has another: the endpoint lies, or speaks a language that Quarry does not know
 */
export function shaped<T>(shape: z.ZodType<T>, answer: unknown): T {
  const result = shape.safeParse(answer);
  if (result.success) return result.data;
  throw nonsense(result.error);
}

/** @param cause what was wrong with it, for the log */
export function nonsense(cause: unknown): QuarryError {
  const init = {
    code: 'PROTOCOL',
    message: say('bittensor.chain.nonsense'),
    hint: say('bittensor.chain.otherEndpoint'),
  };
  return new QuarryError({ ...init, code: 'PROTOCOL', retryable: true }, { cause });
}
