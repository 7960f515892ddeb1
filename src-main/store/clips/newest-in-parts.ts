import { setImmediate as aTurn } from 'node:timers/promises';

/** Numbers that are read in one go: at first, and when they are read quickly. */
const [FIRST, MOST] = [2_000, 200_000];
/** Milliseconds: what is quicker reads more the next time, what is slower less. */
const [QUICK_MS, SLOW_MS] = [5, 10] as const;

/**
 * The newest rows that pass, where an index may lead to many that do not: a stretch of numbers after the other, with turns for others in between.
 * @param before the first number that is not meant
 * @param read the newest of a stretch, up to a limit
 */
export async function newestInParts<Row>(
  { before, limit }: { before: number; limit: number },
  read: (stretch: { from: number; before: number }, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  let size = FIRST;
  for (let end = before; end > 0 && found.length < limit; await aTurn()) {
    const began = performance.now();
    const from = Math.max(0, end - size);
    found.push(...(await read({ from, before: end }, limit - found.length)));
    end = from;
    const ms = performance.now() - began;
    if (ms < QUICK_MS) size = Math.min(MOST, 2 * size);
    else if (ms > SLOW_MS) size = Math.max(FIRST / 4, size / 2);
  }
  return found;
}
