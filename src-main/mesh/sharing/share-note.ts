import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What is remembered of a shared model; beside its index, so that a restart goes on sharing it. */
const shareNoteSchema = z.object({
  name: z.string(),
  /** Where the file was when it was shared. */
  path: z.string(),
  bytes: z.int(),
  sha256: digest,
  licence: z.string(),
  quantisation: z.string(),
  contextLength: z.number(),
  /** The index is complete, and the file was not changed since; absent while it is being built. */
  index: z.object({ treeHash: digest, modifiedMs: z.number() }).optional(),
});
export type ShareNote = z.infer<typeof shareNoteSchema>;

const NOTE_FILE = 'share.json';

/** The note in a folder; undefined when there is none that can be read. */
export async function readShareNote(folder: string): Promise<ShareNote | undefined> {
  try {
    return shareNoteSchema.parse(JSON.parse(await readFile(join(folder, NOTE_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes it whole or not at all. */
export async function writeShareNote(folder: string, note: ShareNote): Promise<void> {
  const path = join(folder, NOTE_FILE);
  const file = await open(`${path}.tmp`, 'w');
  try {
    await file.writeFile(JSON.stringify(note));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}
