import type { Picture } from './codec/picture.ts';
import { shrunkLight } from './codec/scaled-picture.ts';

/** Brightness of so many blocks tells scenes apart; one differs that is so much lighter or darker, of 255. */
const BLOCKS = { width: 64, height: 36 };
const DIFFERS = 16;

/** How light a picture is, block by block. */
export const lightBlocks = (picture: Picture): Float32Array => shrunkLight(picture, BLOCKS);

/** Which share of the blocks differs: 0 to 1. */
export function shareChanged(before: Float32Array, now: Float32Array): number {
  return now.filter((light, block) => Math.abs(light - (before[block] ?? 0)) > DIFFERS).length / now.length;
}
