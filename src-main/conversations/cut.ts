import { MAX_PDF_PAGES } from '../../src-preload/contract/limits.ts';

/** Longest passage, in characters: some 250 tokens, which every embedding model reads whole in most languages. */
export const PASSAGE_CHARS = 900;
/** What a passage repeats of the one before, so that what is said across their border stands in one of them. */
const OVERLAP_CHARS = 150;

/** Where a text may be cut, the best places first: after a paragraph, a sentence, a line, a word. */
const BREAKS = [/\n\s*\n/g, /[.!?…。！？]["'»”)]*\s+/g, /\n/g, /\s+/g];

/**
 * Cuts a text into passages, none across two pages: each page but the first begins with a form feed. A text with more of them than a PDF
 * may have pages has none: each page makes a passage, however short.
 */
export function* cut(text: string): Generator<{ page: number | null; text: string }> {
  const split = text.split('\f', MAX_PDF_PAGES + 1);
  const pages = split.length > MAX_PDF_PAGES ? [text] : split;
  for (const [index, page] of pages.entries()) {
    for (const piece of pieces(page)) yield { page: pages.length > 1 ? index + 1 : null, text: piece };
  }
}

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    const piece = text.slice(start, end).trim();
    if (/[\p{L}\p{N}]/u.test(piece)) yield piece;
    start = end === text.length ? end : nextStart(text, start, end);
  }
}

/** The last good place in the second half of what may be taken. */
function endOf(text: string, start: number): number {
  const most = start + PASSAGE_CHARS;
  if (most >= text.length) return text.length;
  const from = start + PASSAGE_CHARS / 2;
  const half = text.slice(from, most);
  for (const places of BREAKS) {
    const last = [...half.matchAll(places)].at(-1);
    if (last) return from + last.index + last[0].length;
  }
  return insideCharacter(text, most) ? most - 1 : most;
}

/** A little before the end of the passage before, at a word; where there is none, at its end. */
function nextStart(text: string, start: number, end: number): number {
  const from = Math.max(start + 1, end - OVERLAP_CHARS);
  const space = text.slice(from, end).search(/\s\S/);
  return space < 0 ? end : from + space + 1;
}

function insideCharacter(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
}
