import type { AttachedFile } from '../../../../src-preload/contract/conversations.ts';
import { DEFAULTS } from '../../../../src-preload/contract/defaults.ts';
import {
  MAX_FILE_NAME_CHARS,
  MAX_FILE_PIECE_CHARS,
  MAX_FILES,
  MAX_FILES_CHARS,
  MAX_LONG_FILE_CHARS,
} from '../../../../src-preload/contract/limits.ts';
import { ignoring } from '../../../api/ignoring.ts';
import type { PdfFault, PdfRead } from './pdf-text.ts';

/** Why a file cannot go with a question. */
export type Unfit = 'noText' | 'picture' | 'tooLong' | 'tooMany' | PdfFault | 'pdfLarge' | 'pdfSlow';

/** A UTF-8 character has at most so many bytes: what is larger than that cannot fit, and is not read. */
const MOST_BYTES = 4 * MAX_LONG_FILE_CHARS;

/** What reads a PDF to its text. */
export type PdfReader = (file: Blob, name: string) => Promise<PdfRead<Unfit>>;

/**
 * Reads files that are to go with a question: text and PDF. What is no UTF-8, or has a byte that text never has, is none.
 *
 * @param before those that go with it already
 */
export async function attach(
  files: readonly Blob[],
  names: readonly string[],
  before: readonly AttachedFile[],
  pdf: PdfReader,
): Promise<{ files: AttachedFile[]; unfit?: { name: string; why: Unfit } }> {
  const attached = [...before];
  for (const [place, file] of files.entries()) {
    const name = (names[place] ?? '').slice(0, MAX_FILE_NAME_CHARS).trim() || '?';
    if (attached.length >= MAX_FILES) return { files: attached, unfit: { name, why: 'tooMany' } };
    const read = (await isPdf(file)) ? await pdf(file, name) : await readText(file);
    if ('fault' in read) {
      const isPicture = read.fault === 'noText' && file.type.startsWith('image/');
      return { files: attached, unfit: { name, why: isPicture ? 'picture' : read.fault } };
    }
    attached.push({ name, text: read.text });
  }
  return { files: attached };
}

/** What a text takes of a model's context, in tokens: four characters are about one. */
export function tokensIn(chars: number): number {
  return Math.ceil(chars / 4);
}

/**
 * Which files go into a question as they are, and which are too long for that: together they may take half of the context.
 * @param contextSize in tokens. Default: what most who answer have
 */
export function divided<File extends { text: string }>(
  files: readonly File[],
  contextSize: number = DEFAULTS.contextSize,
): { whole: File[]; long: File[] } {
  let room = Math.min(MAX_FILES_CHARS, contextSize * 2);
  const fits = files.map(({ text }) => {
    if (text.length > room) return false;
    room -= text.length;
    return true;
  });
  return { whole: files.filter((_, place) => fits[place]), long: files.filter((_, place) => !fits[place]) };
}

/** A text in pieces that cut no character in two: half of one cannot be kept. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + MAX_FILE_PIECE_CHARS;
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
    yield text.slice(start, end);
  }
}

/** By how it begins: what a file is called says little. */
async function isPdf(file: Blob): Promise<boolean> {
  return (await file.slice(0, 1_024).text()).includes('%PDF-');
}

async function readText(file: Blob): Promise<{ text: string } | { fault: 'noText' | 'tooLong' }> {
  if (file.size > MOST_BYTES) return { fault: 'tooLong' };
  const decoded = file.arrayBuffer().then((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const text = await decoded.catch(ignoring('what is no UTF-8 is no text'));
  if (text === undefined || text.includes('\0')) return { fault: 'noText' };
  return text.length > MAX_LONG_FILE_CHARS ? { fault: 'tooLong' } : { text };
}
