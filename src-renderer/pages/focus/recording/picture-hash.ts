import { MOTION_BLOCKS } from '../../../../src-preload/contract/focus-limits.ts';

const CHANNELS = 4;
const SIDE = 8;

/**
 * 64 bits of how a picture looks: on a grid of nine by eight fields, whether each is brighter than the one at its right (a difference hash). Encoded again or drawn
 * smaller, a picture keeps nearly all of them.
 * @param blocks four bytes a block, red, green, blue and one that is not looked at; as many as {@link MOTION_BLOCKS}
 * @returns 16 hex
 */
export function pictureHash(blocks: Uint8ClampedArray): string {
  const fields = Array.from({ length: SIDE }, (_, row) =>
    Array.from({ length: SIDE + 1 }, (_, column) => brightness(blocks, column, row)),
  );
  const bits = fields.flatMap((row) => row.slice(0, SIDE).map((field, column) => field > (row[column + 1] ?? 0)));
  const nibble = (at: number) => bits.slice(at, at + 4).reduce((sum, bit) => 2 * sum + Number(bit), 0);
  return Array.from({ length: bits.length / 4 }, (_, at) => nibble(4 * at).toString(16)).join('');
}

/** Of a field, the sum of its blocks’ colours for each of them. */
function brightness(blocks: Uint8ClampedArray, column: number, row: number): number {
  const { columns, rows } = MOTION_BLOCKS;
  const [left, right] = bounds(column, SIDE + 1, columns);
  const [top, bottom] = bounds(row, SIDE, rows);
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * columns + x) * CHANNELS;
      sum += (blocks[at] ?? 0) + (blocks[at + 1] ?? 0) + (blocks[at + 2] ?? 0);
    }
  }
  return sum / ((right - left) * (bottom - top));
}

const bounds = (at: number, of: number, size: number) =>
  [Math.floor((at * size) / of), Math.floor(((at + 1) * size) / of)] as const;
