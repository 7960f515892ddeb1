import { BLOCK_MS } from './terms.ts';

/** How long it is until a block, as far as one can say: blocks of a chain come when they come. */
export function untilBlock(block: number, now: number): { blocks: number; ms: number } {
  const blocks = Math.max(0, block - now);
  return { blocks, ms: blocks * BLOCK_MS };
}
