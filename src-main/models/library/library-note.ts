import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { sha256Schema } from '../../../src-preload/contract/keys.ts';
import { writeAtomically } from '../../base/atomic-file.ts';
import { ifMissing } from '../../base/swallowed.ts';

/** How a model came into the folder; one that was merely `found` there is never loaded unasked. */
const ORIGINS = ['imported', 'downloaded', 'found'] as const;

/** What is remembered beside a model file: where it came from, and its hash, so that gigabytes are hashed once. */
const noteSchema = z.object({
  /** Of the file in the state that `bytes` and `modifiedAt` tell. */
  sha256: sha256Schema,
  /** What the file had when it came, where that is something else: only who brings another file changes it. */
  expected: sha256Schema.optional(),
  bytes: z.number(),
  /** Of the file, Unix milliseconds. Absent in notes of older versions, which are believed when the length is right. */
  modifiedAt: z.number().optional(),
  importedAt: z.number(),
  origin: z.enum(ORIGINS).default('imported'),
  /** Where a download came from. */
  source: z.string().optional(),
  licence: z.string().optional(),
  /** Where the file is, of a model that is used outside of the folder. */
  path: z.string().max(4_096).optional(),
});
export type LibraryNote = z.infer<typeof noteSchema>;

/** What tells one state of a file from another without reading it. */
export interface FileMark {
  bytes: number;
  /** Unix milliseconds. */
  modifiedAt: number;
}

/** Times that differ by less are the same: setting a time rounds it. */
const SAME_TIME_MS = 1;

export function sameMark(mark: Partial<FileMark>, { bytes, modifiedAt }: FileMark): boolean {
  return mark.bytes === bytes && Math.abs((mark.modifiedAt ?? modifiedAt) - modifiedAt) < SAME_TIME_MS;
}

/**
 * The note of a model file; undefined when there is none, or a damaged one: the file is hashed again.
 * @throws when it cannot be read. What it says is not known then, so nothing may take its place
 */
export async function readNote(model: string): Promise<LibraryNote | undefined> {
  const text = await readFile(`${model}.json`, 'utf8').catch(ifMissing);
  if (text === undefined) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // it is no JSON
  }
}

export async function writeNote(model: string, note: LibraryNote): Promise<void> {
  await writeAtomically(`${model}.json`, JSON.stringify(note));
}
