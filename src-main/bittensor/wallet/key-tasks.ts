import { z } from 'zod';
import { failureSchema } from '../../process/failure.ts';

/** Where a key comes from. */
const sourceSchema = z.discriminatedUnion('from', [
  /** 12 or 24 new words. */
  z.strictObject({ from: z.literal('new'), words: z.union([z.literal(12), z.literal(24)]) }),
  z.strictObject({ from: z.literal('phrase'), phrase: z.string() }),
  /** 0x and 64 hexadecimal digits. */
  z.strictObject({ from: z.literal('seed'), seed: z.string() }),
  /** What polkadot.js exports, with its password. */
  z.strictObject({ from: z.literal('json'), json: z.string(), password: z.string() }),
]);
export type KeySource = z.infer<typeof sourceSchema>;

/** What the process that holds a key is told; each is answered once, in turn. It holds one key at most. */
export const keyTaskSchema = z.discriminatedUnion('task', [
  /** Takes a key in hand, and writes nothing. */
  z.strictObject({ task: z.literal('draft'), source: sourceSchema }),
  /** Writes the key in hand: the secret file, encrypted where there is a password, and the public one beside it. Neither is there yet. */
  z.strictObject({
    task: z.literal('keep'),
    file: z.string(),
    publicFile: z.string(),
    password: z.string().nullable(),
  }),
  /** Opens a keyfile, and takes its key in hand. */
  z.strictObject({ task: z.literal('open'), file: z.string(), password: z.string().nullable() }),
  /** Says whose key is in hand. */
  z.strictObject({ task: z.literal('held') }),
  /** Signs with the key in hand. */
  z.strictObject({ task: z.literal('sign'), message: z.base64() }),
  /** Writes a keyfile anew with another password, or without. */
  z.strictObject({
    task: z.literal('reseal'),
    file: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
  /** The addresses of plain keyfiles that have no public file; null for one that cannot be read. */
  z.strictObject({ task: z.literal('addresses'), files: z.array(z.string()) }),
]);
export type KeyTask = z.infer<typeof keyTaskSchema>;

/** What came of a task. */
export const keyReplySchema = z.union([
  z.strictObject({
    result: z.strictObject({
      /** Of the key in hand. */
      address: z.string().max(64).optional(),
      /** Of a draft that was made, once. */
      phrase: z.string().max(1_000).optional(),
      /** Base64. */
      signature: z.string().max(100).optional(),
      addresses: z.array(z.string().max(64).nullable()).optional(),
    }),
  }),
  z.strictObject({ failed: failureSchema }),
]);
export type KeyReply = z.infer<typeof keyReplySchema>;
export type KeyResult = Extract<KeyReply, { result: unknown }>['result'];
