import { Slices } from '../../../base/slices.ts';
import type { AdamWState } from './adam-w.ts';

/** A mean of gradients is at the most so many times the root of the mean of their squares: 7.3 by how fast the two forget (Cauchy–Schwarz), the rest is for rounding. */
const MOST_OF_ROOT = 10;
/** Squares of smaller gradients are 0 in single precision. */
const TINY = 1e-15;

/** Numbers that are looked at in one go: a matrix of a large model has millions, which would hold others up. */
const AT_ONCE = 1 << 16;

/** Whether steps can have come to it: from another state the next step would make numbers that are none, or larger than any learning rate allows. */
export async function isReachable(
  { means, squares }: AdamWState,
  slices: Pick<Slices, 'isOver' | 'next'> = new Slices(),
): Promise<boolean> {
  for (const [name, matrices] of means.matrices) {
    for (const part of ['a', 'b'] as const) {
      const [mean, square] = [matrices[part], squares.matrices.get(name)?.[part]];
      for (let at = 0; at < mean.length; at += AT_ONCE) {
        if (!square || !areReachable(mean, square, at, Math.min(mean.length, at + AT_ONCE))) return false;
        if (slices.isOver) await slices.next();
      }
    }
  }
  return true;
}

function areReachable(means: Float32Array, squares: Float32Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const square = squares[at] as number;
    const isReachable = square >= 0 && Math.abs(means[at] as number) <= MOST_OF_ROOT * Math.sqrt(square) + TINY;
    if (!isReachable) return false;
  }
  return true;
}
