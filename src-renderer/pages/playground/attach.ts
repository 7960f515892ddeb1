import type { AttachedFile } from '../../../src-preload/contract/conversations.ts';
import { MAX_FILE_NAME_CHARS, MAX_FILES, MAX_FILES_CHARS } from '../../../src-preload/contract/limits.ts';
import { ignoring } from '../../api/ignoring.ts';

/** Why a file cannot go with a question. */
export type Unfit = 'noText' | 'tooLong' | 'tooMany';

/** A UTF-8 character has at most so many bytes: what is larger than that cannot fit, and is not read. */
const MOST_BYTES = 4 * MAX_FILES_CHARS;

/**
 * Reads files that are to go with a question. Text alone is taken: what is no UTF-8, or has a byte that text never has, is none.
 *
 * @param before those that go with it already
 */
export async function attach(
  files: readonly Blob[],
  names: readonly string[],
  before: readonly AttachedFile[],
): Promise<{ files: AttachedFile[]; unfit?: { name: string; why: Unfit } }> {
  const attached = [...before];
  for (const [place, file] of files.entries()) {
    const name = (names[place] ?? '').slice(0, MAX_FILE_NAME_CHARS).trim() || '?';
    const read = await readText(file);
    if (attached.length >= MAX_FILES) return { files: attached, unfit: { name, why: 'tooMany' } };
    if (read === undefined) return { files: attached, unfit: { name, why: 'noText' } };
    if (read === null || charsOf(attached) + read.length > MAX_FILES_CHARS) {
      return { files: attached, unfit: { name, why: 'tooLong' } };
    }
    attached.push({ name, text: read });
  }
  return { files: attached };
}

export function charsOf(files: readonly AttachedFile[]): number {
  return files.reduce((sum, { text }) => sum + text.length, 0);
}

/** What a text takes of a model's context, in tokens: four characters are about one. */
export function tokensIn(chars: number): number {
  return Math.ceil(chars / 4);
}

/** @returns null where it is too long, undefined where it is no text */
async function readText(file: Blob): Promise<string | null | undefined> {
  if (file.size > MOST_BYTES) return null;
  const decoded = file.arrayBuffer().then((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const text = await decoded.catch(ignoring('what is no UTF-8 is no text'));
  return text?.includes('\0') ? undefined : text;
}
