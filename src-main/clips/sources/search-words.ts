import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';

const MOST_WORDS = 12;

/** The words of a topic in lower case, without what a search would take for more than a word. */
export function searchWords(topic: string): string[] {
  return (
    topic
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).slice(0, MOST_WORDS);
}

/** Where a page begins: a number that was given out as `next`. @param most the last there can be @throws BAD_REQUEST */
export function pageNumber(from: string | undefined, first: number, most: number): number {
  if (from === undefined) return first;
  const page = /^\d{1,9}$/.test(from) ? Number(from) : -1;
  if (page >= first && page <= most) return page;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('clipSources.badPage'),
    hint: say('clipSources.searchAnew'),
    field: 'cursor',
  });
}
