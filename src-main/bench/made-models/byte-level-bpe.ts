import { BYTE_CHARACTERS } from '../../inference/child/byte-alphabet.ts';

/**
 * Byte-level BPE as GPT-2 and its heirs use it: every byte is written as one printable character, and merges join
 * neighbours into longer tokens. See https://github.com/openai/gpt-2/blob/master/src/encoder.py.
 */

export interface BpeVocabulary {
  /** Tokens in the order of their ids: the 256 bytes, then the special tokens, then one for each merge. */
  tokens: string[];
  /** Pairs joined, first the pair that is joined first; each is `left right`. */
  merges: string[];
  specials: readonly string[];
}

/** Writes text in byte characters: a space becomes `Ġ`, a line break `Ċ`. */
export function toByteCharacters(text: string): string {
  return [...Buffer.from(text)].map((byte) => BYTE_CHARACTERS[byte]).join('');
}

export function vocabulary(specials: readonly string[], merges: string[]): BpeVocabulary {
  return {
    tokens: [...BYTE_CHARACTERS, ...specials, ...merges.map((pair) => pair.replace(' ', ''))],
    merges,
    specials,
  };
}

/**
 * Learns merges until every word is a single token. Ties are broken by the order in which pairs first occur, so the same
 * words give the same merges everywhere.
 * @param words in byte characters, as often as they occur
 */
export function learnMerges(words: readonly string[]): string[] {
  const splits = words.map((word) => [...word]);
  const merges: string[] = [];
  for (let pair = commonestPair(splits); pair !== undefined; pair = commonestPair(splits)) {
    merges.push(pair);
    for (const split of splits) joinPair(split, pair);
  }
  return merges;
}

function commonestPair(splits: readonly string[][]): string | undefined {
  const counts = new Map<string, number>();
  for (const split of splits) {
    for (let at = 1; at < split.length; at++) {
      const pair = `${split[at - 1]} ${split[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  const first = counts.entries().next().value;
  return first && [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), first)[0];
}

function joinPair(split: string[], pair: string): void {
  for (let at = 1; at < split.length; at++) {
    if (`${split[at - 1]} ${split[at]}` === pair) split.splice(at - 1, 2, pair.replace(' ', ''));
  }
}
