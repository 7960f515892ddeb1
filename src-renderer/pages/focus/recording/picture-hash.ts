import { differenceHash, HASH_FIELDS } from '../../../../src-preload/contract/difference-hash.ts';
import { MOTION_BLOCKS } from '../../../../src-preload/contract/focus-limits.ts';

const CHANNELS = 4;

/**
 * How a picture looks: see {@link differenceHash}.
 * @param blocks four bytes a block, red, green, blue and one that is not looked at; as many as {@link MOTION_BLOCKS}
 * @returns 16 hex
 */
export function pictureHash(blocks: Uint8ClampedArray): string {
  return differenceHash((column, row) => brightness(blocks, column, row));
}

/** Of a field, the sum of its blocks’ colours for each of them. */
function brightness(blocks: Uint8ClampedArray, column: number, row: number): number {
  const { columns, rows } = MOTION_BLOCKS;
  const [left, right] = bounds(column, HASH_FIELDS.columns, columns);
  const [top, bottom] = bounds(row, HASH_FIELDS.rows, rows);
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
