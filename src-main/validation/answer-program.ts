const FENCE = '```';

/**
 * The program that an answer gives: its last block of Python, else its last block, else all of it. A block that has no end counts to the end of the
 * answer.
 */
export function programIn(answer: string): string {
  const blocks: { isPython: boolean; text: string }[] = [];
  // Every second piece stands between two fences.
  answer.split(FENCE).forEach((piece, at) => {
    if (at % 2 === 0) return;
    const [first = '', ...lines] = piece.split('\n');
    const isTag = lines.length > 0 && /^\s*[\w+.-]*\s*$/.test(first);
    blocks.push({ isPython: isTag && /^\s*(python3?|py)\s*$/i.test(first), text: isTag ? lines.join('\n') : piece });
  });
  const block = blocks.findLast(({ isPython }) => isPython) ?? blocks.at(-1);
  return (block?.text ?? answer).trim();
}
