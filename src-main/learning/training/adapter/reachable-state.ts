import { Slices } from '../../../base/slices.ts';
import type { AdamWState } from './adam-w.ts';

/** A mean of gradients is at the most so many times the root of the mean of their squares: 7.3 by how fast the two forget (Cauchy–Schwarz), the rest is for rounding. */
const MOST_OF_ROOT = 10;
/** Squares of smaller gradients are 0 in single precision. */
const TINY = 1e-15;

/** Whether steps can have come to it: from another state the next step would make numbers that are none, or larger than any learning rate allows. */
export async function isReachable({ means, squares }: AdamWState): Promise<boolean> {
  const slices = new Slices();
  for (const [name, { a, b }] of means.matrices) {
    const square = squares.matrices.get(name);
    if (!square || !areReachable(a, square.a) || !areReachable(b, square.b)) return false;
    if (slices.isOver) await slices.next();
  }
  return true;
}

function areReachable(means: Float32Array, squares: Float32Array): boolean {
  return means.every((mean, at) => {
    const square = squares[at] as number;
    return square >= 0 && Math.abs(mean) <= MOST_OF_ROOT * Math.sqrt(square) + TINY;
  });
}
