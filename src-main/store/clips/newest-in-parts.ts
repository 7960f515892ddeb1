import { setImmediate as aTurn } from 'node:timers/promises';

/** Numbers that are read in one go at the most. */
const MOST = 200_000;
/** Milliseconds: what is quicker reads more the next time. */
const QUICK_MS = 5;

/** Numbers from one on, and before another. */
export interface Stretch {
  from: number;
  before: number;
}

/**
 * The newest rows that pass, where an index may lead to many that do not: a stretch of numbers after the other, with turns for others in between.
 * @param before the first number that is not meant @param first numbers that are read in one go at first
 * @param read the newest of a stretch, up to a limit
 */
export async function newestInParts<Row>(
  { before, limit, first }: { before: number; limit: number; first: number },
  read: (stretch: Stretch, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let size = first;
  for (let end = before; end > 0 && found.length < limit; await aTurn()) {
    const began = performance.now();
    const from = Math.max(0, end - size);
    found.push(...(await read({ from, before: end }, limit - found.length)));
    end = from;
    if (performance.now() - began < QUICK_MS) size = Math.min(MOST, 2 * size);
  }
  return found;
}
