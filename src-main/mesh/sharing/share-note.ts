import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { dataPath } from '../../base/data-folder.ts';
import { ifMissing } from '../../base/swallowed.ts';

const anyFile = {
  name: z.string(),
  /** Where the file was when it was shared. */
  path: z.string(),
  bytes: z.int(),
  sha256: sha256Schema,
  /** The index is complete, and the file was not changed since; absent while it is being built. */
  index: z.object({ treeHash: sha256Schema, modifiedMs: z.number() }).optional(),
};
const modelNoteSchema = z.object({
  ...anyFile,
  licence: z.string(),
  quantisation: z.string(),
  contextLength: z.number(),
});
/** A version of an adapter: of what `name` it is which, and for which model. */
const adapterNoteSchema = z.object({
  ...anyFile,
  adapter: z.object({ number: z.int(), base: sha256Schema, baseName: z.string() }),
});
/** What is remembered of a shared file; beside its index, so that a restart goes on sharing it. */
const shareNoteSchema = z.union([adapterNoteSchema, modelNoteSchema]);
export type ModelNote = z.infer<typeof modelNoteSchema>;
export type AdapterNote = z.infer<typeof adapterNoteSchema>;
export type ShareNote = ModelNote | AdapterNote;

export function isAdapterNote(note: ShareNote): note is AdapterNote {
  return 'adapter' in note;
}

const NOTE_FILE = 'share.json';

/** Where a node keeps what belongs to the files that it shares: a folder for each, named by its SHA-256. */
export function sharesFolder(dataDir: string): string {
  return dataPath(dataDir, 'sharedModels');
}

/** The second name that a shared file has in its share's folder, where the drive allows. */
export function heldFile(folder: string): string {
  return join(folder, 'model.gguf');
}

/**
 * Deletes what a node that does not run keeps of a shared file: it shares it no more, and its disk space is free. Nothing
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
