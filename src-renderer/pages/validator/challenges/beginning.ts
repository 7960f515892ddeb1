/** As much as one looks at beside a list. */
const SHOWN = { characters: 700, lines: 16 };

/** The beginning of a text, in whole characters: so many of them, and so many lines, at most. */
export function beginningOf(text: string): string {
  const lines = text.slice(0, SHOWN.characters).split('\n').slice(0, SHOWN.lines).join('\n');
  if (lines.length === text.length) return text;
  return lines.isWellFormed() ? lines : lines.slice(0, -1);
}
