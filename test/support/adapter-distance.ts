import { expect } from 'vitest';
import type { LoraAdapter } from '../../src-main/learning/formats/lora-adapter.ts';

/** Length of the difference, as a share of the length. */
function distance(found: Float32Array, expected: Float32Array): number {
  const length = (values: Float32Array) => Math.hypot(...values);
  return length(found.map((value, at) => value - (expected[at] ?? Number.NaN))) / length(expected);
}

/** The largest distance of all matrices: the length of the difference, as a share of the length. */
export function furthest(found: LoraAdapter, expected: LoraAdapter): number {
  const distances = [...expected.matrices].map(([name, { a, b }]) => {
    const own = found.matrices.get(name) ?? { a: new Float32Array(), b: new Float32Array() };
    return Math.max(distance(own.a, a), distance(own.b, b));
  });
  expect(distances.length).toBeGreaterThan(0);
  return Math.max(...distances);
}
