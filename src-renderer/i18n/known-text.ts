/** The text for a word that main or a peer used; the word itself where there is none. */
export function knownText(texts: Record<string, string>, word: string): string {
  return (Object.hasOwn(texts, word) && texts[word]) || word;
}
