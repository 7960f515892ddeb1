/** Of 255: what a block’s colour differs by before that is more than the noise of scaling a picture down. */
const NOTICED = 4;
const CHANNELS = 4;

/**
 * How many blocks of a picture have changed: a word that was typed changes some, a page that was scrolled hundreds.
 * @param before and after: four bytes a block, red, green, blue and one that is not looked at; of the same size
 */
export function changedBlocks(before: Uint8ClampedArray, after: Uint8ClampedArray): number {
  let changed = 0;
  for (let at = 0; at < after.length; at += CHANNELS) {
    if (differs(before, after, at) || differs(before, after, at + 1) || differs(before, after, at + 2)) changed++;
  }
  return changed;
}

function differs(before: Uint8ClampedArray, after: Uint8ClampedArray, at: number): boolean {
  return Math.abs((before[at] ?? 0) - (after[at] ?? 0)) > NOTICED;
}
