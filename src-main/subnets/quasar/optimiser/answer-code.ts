/** A fence that opens or closes a block: three or more backticks or tildes at the beginning of a line. */
const FENCE = /^[ \t]{0,3}(```+|~~~+)[ \t]*([\w+-]*)[^\n]*$/gm;

/**
 * The code of an answer: its longest fenced block, as a model may show pieces before it writes the whole. A block that the answer's end cuts off counts, too: the compiler
 * says what is missing. This passes once over what a stranger says.
 * @returns undefined where there is no block with anything in it
 */
export function codeOf(answer: string): string | undefined {
  let opened: { fence: string; at: number } | undefined;
  let longest = '';
  const take = (end: number) => {
    const code = answer.slice(opened?.at, end).replace(/^\n/, '').trimEnd();
    if (code.length > longest.length) longest = code;
  };
  for (const { 0: line, 1: fence = '', index } of answer.matchAll(FENCE)) {
    if (opened && fence.startsWith(opened.fence)) {
      take(index);
      opened = undefined;
    } else if (!opened) opened = { fence, at: index + line.length };
  }
  if (opened) take(answer.length);
  return longest === '' ? undefined : `${longest}\n`;
}
