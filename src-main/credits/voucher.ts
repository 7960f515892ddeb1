import { z } from 'zod';
import { nodeIdSchema, randomIdSchema, signatureSchema } from '../../src-preload/contract/keys.ts';
import { taggedBytes } from '../base/signing.ts';
import { creditsSchema } from './price.ts';

/** Most of those who vouch for one request. */
export const MAX_VOUCHERS = 3;
/** Most of those that a worker names whose vouchers it takes. */
export const MAX_VOICES = 256;

/** What a node that vouches says to a worker. */
export interface VoucherBody {
  /**
   * `claim`: «owe it to the client instead of me». Who signs it has already drawn the credits from what it owes the client.
   * `word`: «it has served me well». The worker's gift comes before those to strangers of whom nobody says so.
   */
  kind: 'claim' | 'word';
  /** Who vouches. */
  by: string;
  worker: string;
  client: string;
  credits: number;
  /** 32 hex, never used twice by one node. */
  serial: string;
  /** Unix milliseconds, by the clock of who vouches. */
  expires: number;
}

/** What somebody asks a node to vouch for. */
export type VouchWish = Pick<VoucherBody, 'kind' | 'worker' | 'client' | 'credits'>;

export interface Voucher {
  body: VoucherBody;
  /** 128 hex. */
  sig: string;
}

export const voucherKindSchema = z.enum(['claim', 'word']);

/** A voucher as it comes from others, and as the ledger keeps it. */
export const voucherSchema = z.strictObject({
  body: z.strictObject({
    kind: voucherKindSchema,
    by: nodeIdSchema,
    worker: nodeIdSchema,
    client: nodeIdSchema,
    credits: creditsSchema,
    serial: randomIdSchema,
    expires: z.int().min(0),
  }),
  sig: signatureSchema,
}) satisfies z.ZodType<Voucher>;

/** Credits that they are for, all together. */
export const sumOf = (vouchers: readonly Voucher[]) => vouchers.reduce((sum, { body }) => sum + body.credits, 0);

/** The bytes that are signed. */
export function voucherBytes({ kind, by, worker, client, credits, serial, expires }: VoucherBody): Buffer {
  const body = { kind, by, worker, client, credits, serial, expires };
  return taggedBytes('quarry-voucher/v2', body);
}
