import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorSchema } from './error-schema.ts';

/** How a keyfile is kept from whoever reads the disk. `plain`: not at all; `fernet` and `ansible` are of older programs; `unknown`: it is not read as it is. */
export const KEY_SEALINGS = ['plain', 'nacl', 'fernet', 'ansible', 'unknown'] as const;
export type KeySealing = (typeof KEY_SEALINGS)[number];

const name = z.string().min(1).max(64);
const password = z.string().max(1_024);
/** A text that people read. */
const text = z.string().max(65_536);

/** A key of a wallet: its coldkey, or the hotkey of that name. */
export const keyNameSchema = z.object({ wallet: name, hotkey: name.optional() });

/** A key, as its files say without a password. */
export const walletKeySchema = z.object({
  /** ss58; null where nothing tells it. */
  address: z.string().nullable(),
  /** Null for an address that is only watched: nothing can be signed. */
  sealing: z.enum(KEY_SEALINGS).nullable(),
  /** The key is there and its public file is missing: `writePublic` writes it. */
  lacksPublic: z.boolean().optional(),
});
export type WalletKey = z.infer<typeof walletKeySchema>;

export const walletSchema = z.object({
  name: z.string(),
  coldkey: walletKeySchema.nullable(),
  hotkeys: z.array(walletKeySchema.extend({ name: z.string() })),
});
export type WalletView = z.infer<typeof walletSchema>;

/** Where a new key comes from. */
export const keySourceSchema = z.discriminatedUnion('from', [
  /** 12 or 24 new words. */
  z.strictObject({ from: z.literal('new'), words: z.union([z.literal(12), z.literal(24)]) }),
  z.strictObject({ from: z.literal('phrase'), phrase: z.string().max(1_000) }),
  /** 0x and 64 hexadecimal digits. */
  z.strictObject({ from: z.literal('seed'), seed: z.string().max(200) }),
  /** What Polkadot.js exports, with its password. */
  z.strictObject({ from: z.literal('json'), json: z.string().max(65_536), password }),
]);
export type KeySource = z.infer<typeof keySourceSchema>;

/** A key that is not written yet. */
export const keyDraftSchema = z.object({
  id: z.string(),
  address: z.string(),
  /** Only of a new key: shown this once. */
  phrase: z.string().optional(),
  /** Which of its words have to be told again, from 1 on. Empty for a key that was brought. */
  ask: z.array(z.number()),
});
export type KeyDraft = z.infer<typeof keyDraftSchema>;

/**
 * Keys of Bittensor, in the files of its own programs. A key itself never comes out; its words do, once, when it is made. `draft`, `keep`,
 * `changePassword`, `writePublic` and `sign` throw UNAUTHORIZED where others could listen: see `confidential`.
 */
export const walletContract = {
  list: oc.output(
    z.object({
      folder: z.string(),
      wallets: z.array(walletSchema),
      /** Why some of their files are not read as they are, and what mends it: each way of mending once. */
      refusals: z.array(errorSchema),
      /** Whether words and passwords may cross this connection: where others could listen, the calls that bring them are refused. */
      confidential: z.boolean(),
    }),
  ),
  /** What the public file of a key holds. @throws BAD_REQUEST where its address is not known yet */
  publicPart: oc
    .input(keyNameSchema)
    .output(z.object({ accountId: z.string(), publicKey: z.string(), ss58Address: z.string() })),
  /** Makes or brings a key and writes nothing. It waits half an hour. @throws OVERLOADED where too many wait */
  draft: oc.input(keySourceSchema).output(keyDraftSchema),
  /** Writes a key that was drafted. @throws BAD_REQUEST with the field `words`, `wallet`, `hotkey` or `password` */
  keep: oc
    .input(
      keyNameSchema.extend({
        id: z.string(),
        password: password.min(1).nullable(),
        told: z.array(z.string().max(64)).max(3),
      }),
    )
    .output(walletKeySchema),
  /** Forgets a key that was drafted. */
  discard: oc.input(z.object({ id: z.string() })).output(z.void()),
  /** `from`: null for a file without a password. @throws UNAUTHORIZED with the field `password` */
  changePassword: oc.input(keyNameSchema.extend({ from: password.nullable(), to: password.min(1) })).output(z.void()),
  /** Writes the public file of a key that lacks it; never replaces one. `password`: null for a file without one. @throws UNAUTHORIZED with the field `password` */
  writePublic: oc.input(keyNameSchema.extend({ password: password.nullable() })).output(z.void()),
  /** @throws UNAUTHORIZED with the field `password`; BAD_REQUEST for what could be a transaction */
  sign: oc
    .input(keyNameSchema.extend({ password: password.nullable(), text }))
    .output(z.object({ address: z.string(), signature: z.string() })),
  verify: oc
    .input(z.object({ address: z.string().max(64), signature: z.string().max(200), text }))
    .output(z.object({ valid: z.boolean() })),
};
