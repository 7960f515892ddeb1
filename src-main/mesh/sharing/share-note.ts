import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { dataPath } from '../../base/data-folder.ts';
import { ifMissing } from '../../base/swallowed.ts';

/** What is remembered of a shared model; beside its index, so that a restart goes on sharing it. */
const shareNoteSchema = z.object({
  name: z.string(),
  /** Where the file was when it was shared. */
  path: z.string(),
  bytes: z.int(),
  sha256: sha256Schema,
  licence: z.string(),
  quantisation: z.string(),
  contextLength: z.number(),
  /** The index is complete, and the file was not changed since; absent while it is being built. */
  index: z.object({ treeHash: sha256Schema, modifiedMs: z.number() }).optional(),
});
export type ShareNote = z.infer<typeof shareNoteSchema>;

const NOTE_FILE = 'share.json';

/** Where a node keeps what belongs to the models that it shares: a folder for each, named by its SHA-256. */
export function sharesFolder(dataDir: string): string {
  return dataPath(dataDir, 'sharedModels');
}

/** The second name that a shared model's file has in its share's folder, where the drive allows. */
export function heldFile(folder: string): string {
  return join(folder, 'model.gguf');
}

/**
 * Deletes what a node that does not run keeps of a shared model: it shares it no more, and its disk space is free. Nothing
 * happens if it is not shared.
 * @param sha256 64 hex
 */
export async function forgetShare(dataDir: string, sha256: string): Promise<void> {
  await rm(join(sharesFolder(dataDir), sha256Schema.parse(sha256)), { recursive: true, force: true });
}

/**
 * The note in a folder; undefined when there is none.
 * @throws when it is there and cannot be read, or is damaged
 */
export async function readShareNote(folder: string): Promise<ShareNote | undefined> {
  const text = await readFile(join(folder, NOTE_FILE), 'utf8').catch(ifMissing);
  return text === undefined ? undefined : shareNoteSchema.parse(JSON.parse(text));
}

/** Writes it whole or not at all. */
export async function writeShareNote(folder: string, note: ShareNote): Promise<void> {
  await writeAtomically(join(folder, NOTE_FILE), JSON.stringify(note));
}
