import { SMALLEST, TOLERANCE } from './limits.ts';
import type { Conditioned } from './reference.ts';
import type { Shown } from './verdict.ts';

/** The first number that is not as it should be, or how far the farthest is, as a share of what is tolerated. */
export type Compared = { wrongAt: number } | { error: number };

/**
 * Holds numbers against those of the reference. Where the reference is not finite, they may be anything that is
 * not finite either: infinities and what is no number are not told apart.
 */
export function compare(got: Float32Array | Float64Array, { value, size }: Conditioned): Compared {
  let error = 0;
  for (let at = 0; at < value.length; at++) {
    const share = errorOf(got[at] as number, value[at] as number, size[at] as number);
    if (!(share <= 1)) return { wrongAt: at };
    if (share > error) error = share;
  }
  return { error };
}

/** How far from the reference, as a share of what is tolerated: above 1 is wrong. */
function errorOf(got: number, value: number, size: number): number {
  if (!Number.isFinite(value)) return Number.isFinite(got) ? Number.POSITIVE_INFINITY : 0;
  return Math.abs(got - value) / (TOLERANCE * size + SMALLEST);
}

/** As JSON can have it. */
export const shown = (number: number): Shown => (Number.isFinite(number) ? number : (String(number) as Shown));
