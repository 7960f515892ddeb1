/** Digits as words: models write both. */
const SPELLED: Record<string, string> = {
  ...{ zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9' },
  ...{ ten: '10', eleven: '11', twelve: '12', sixty: '60', hundred: '100' },
};

/**
 * Whether a short answer names one of what is right. As words of their own, in whatever case, with or without accents, marks and thousands' commas;
 * numbers in digits or words. What comes after a «not» or «isn't» is not named.
 * @param right any of these will do: «H2O», «Mount Everest»
 */
export function names(text: string, right: readonly string[]): boolean {
  const said = ` ${plainAnswer(text)} `;
  return right.some((one) => {
    const sought = ` ${plainAnswer(one)} `;
    const at = said.indexOf(sought);
    return at >= 0 && !/ (?:not|isn t|no|never) (?:the |a |an )?$/.test(said.slice(0, at + 1));
  });
}

function plainAnswer(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '');
  const words = letters.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => SPELLED[word] ?? word).join(' ');
}
