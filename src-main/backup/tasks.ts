import { z } from 'zod';
import { backupHeaderSchema, booksSchema } from '../../src-preload/contract/backup.ts';
import { failureSchema } from '../process/failure.ts';

/** What the process that encrypts and decrypts is told, once. */
export const taskSchema = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('create'),
    dataDir: z.string(),
    /** Where the plain copies of the databases lie meanwhile: files that are not there. */
    copies: z.strictObject({ books: z.string(), results: z.string() }),
    /** A new file, which is written as a whole or not at all by who asks. */
    to: z.string(),
    password: z.string(),
    version: z.string(),
    /** Unix milliseconds. */
    now: z.number(),
    kdf: z.strictObject({ passes: z.number(), memoryMiB: z.number() }).optional(),
  }),
  z.strictObject({
    task: z.literal('open'),
    from: z.string(),
    /** A folder that is made anew. */
    into: z.string(),
    password: z.string(),
  }),
]);
export type Task = z.infer<typeof taskSchema>;

/** What it says: how far it is, and in the end what came of it. */
export const reportSchema = z.union([
  z.strictObject({ done: z.number(), total: z.number() }),
  z.strictObject({ result: backupHeaderSchema.extend(booksSchema.shape) }),
  z.strictObject({ failed: failureSchema }),
]);
export type Report = z.infer<typeof reportSchema>;
