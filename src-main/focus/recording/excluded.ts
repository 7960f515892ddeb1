/** Longer titles are cut off there: they are other programs’ words. */
const MOST_TITLE_CHARS = 1_000;
/** Scripts that put spaces between words: there «Pass» is not in «Passau». */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * Which of the names stands in the title of a window, as words of their own, however they are written.
 * @returns undefined where none does
 */
export function excludedIn(title: string, names: readonly string[]): string | undefined {
  const told = title.slice(0, MOST_TITLE_CHARS).normalize('NFKC').toLowerCase();
  return names.find((name) => stands(name.trim().normalize('NFKC').toLowerCase(), told));
}

function stands(name: string, title: string): boolean {
  if (name === '') return false;
  for (let at = title.indexOf(name); at >= 0; at = title.indexOf(name, at + 1)) {
    const before = title.slice(0, at).at(-1) ?? ' ';
    const after = title.slice(at + name.length).at(0) ?? ' ';
    if (isEdge(before, name.at(0) ?? '') && isEdge(name.at(-1) ?? '', after)) return true;
  }
  return false;
}

function isEdge(one: string, other: string): boolean {
  return !(SPACED.test(one) && SPACED.test(other));
}
