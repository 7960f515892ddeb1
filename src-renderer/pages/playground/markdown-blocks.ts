/** A line that begins or ends a block of code. */
const FENCE = /^ {0,3}(```|~~~)/;

/**
 * Cuts Markdown at empty lines outside of code, so that what stands before the last cut never changes while text is added.
 * Joined with empty lines the blocks are the text again.
 */
export function markdownBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    if (line === '' && !inCode && block.length > 0) {
      blocks.push(block.join('\n'));
      block = [];
    } else {
      block.push(line);
    }
  }
  if (block.length > 0) blocks.push(block.join('\n'));
  return blocks;
}
