import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { BACKUP_PIECE_BYTES, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './limits.ts';

/** What anybody can see of a backup, without its password. */
export const backupHeaderSchema = z.object({
  /** Id of the node. */
  node: z.string(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  /** Of Quarry. */
  version: z.string(),
  /** Of the whole file. */
  bytes: z.number(),
});
export type BackupHeader = z.infer<typeof backupHeaderSchema>;

/** How much a ledger holds. */
export const booksSchema = z.object({ node: z.string(), receipts: z.number(), points: z.number() });
export type Books = z.infer<typeof booksSchema>;

/** A backup that was opened: what is in it, and what it would replace. */
export const openedBackupSchema = z.object({
  backup: backupHeaderSchema.extend(booksSchema.shape),
  /** The node that is here now; null where there is none yet. */
  here: booksSchema.nullable(),
});
export type OpenedBackup = z.infer<typeof openedBackupSchema>;

export const passwordSchema = z.string().min(MIN_PASSWORD_CHARS).max(MAX_PASSWORD_CHARS);

const made = z.object({
  /** Of the whole file; with the first piece. */
  bytes: z.number(),
  /** Base64. */
  piece: z.string(),
});

/** `create` and `open` throw UNAUTHORIZED where others could listen to the password. */
export const backupContract = {
  /** When this node was backed up last (Unix milliseconds), and what would be in it. */
  state: oc.output(z.object({ lastAt: z.number().nullable(), databaseBytes: z.number() })),
  /** A backup of this node, encrypted with the password, piece by piece. */
  create: oc.input(z.object({ password: passwordSchema })).output(eventIterator(made)),
  /** Brings a piece of a backup; `at` is where it belongs. The first one (0) begins anew. */
  upload: oc
    .input(
      z.object({
        at: z.int().min(0),
        piece: z.base64().max(Math.ceil(BACKUP_PIECE_BYTES / 3) * 4),
      }),
    )
    .output(z.object({ bytes: z.number() })),
  /** What can be seen of the backup that was brought. @throws BAD_REQUEST where it is none */
  show: oc.output(backupHeaderSchema),
  /** Opens the backup that was brought. @throws BAD_REQUEST with the field `password` where that is wrong */
  open: oc.input(z.object({ password: z.string().min(1).max(MAX_PASSWORD_CHARS) })).output(openedBackupSchema),
  /** Puts the backup that was opened in the place of this node, which starts again. What was here is kept aside. */
  restore: oc.output(z.void()),
  /** Forgets what was brought and opened. */
  discard: oc.output(z.void()),
};
