/** Where a sentence may end. */
const END = /[.!?]["'”’)\]]*\s+(?=["'“‘([]*[\p{Lu}\p{N}])/gu;
/** Before a full stop that ends none: single capitals, as in «U.S.», and what is commonly shortened. */
const SHORTENED = /(?:^|[\s("“.])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Sen|Rep|Gen|Gov|St|Inc|Corp|Co|Ltd|vs|cf|e\.g|i\.e)\.$/u;
/** The same before a number alone. */
const BEFORE_NUMBER = /(?:^|[\s("“])(?:No|Nos|Fig|Figs|Sec|p|pp|ca)\.$/u;

/** The sentences of an English text, in their order: what is between them is not kept. The same on every machine, as no library is. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    const last = text.slice(Math.max(from, match.index - 8), match.index + 1);
    if (SHORTENED.test(last) || (BEFORE_NUMBER.test(last) && /\p{N}/u.test(text[end] ?? ''))) continue;
    sentences.push(text.slice(from, end).trim());
    from = end;
  }
  return [...sentences, text.slice(from).trim()].filter((sentence) => sentence !== '');
}
