import type { SeededRandom } from '../../../validation/seeded-random.ts';

const STEPS = 2 ** 24;

/** From 0 to below 1, in steps that a float of 32 bits has. */
export const unit = (random: SeededRandom) => random.below(STEPS) / STEPS;
/** From −1 to below 1. */
export const signed = (random: SeededRandom) => 2 * unit(random) - 1;
/** What most gates are like: much is kept, and of some channels all but nothing forgotten. 0.7 to 1. */
export const usualGate = (random: SeededRandom) => 1 - 0.3 * unit(random) ** 2;

/** Fills numbers, one draw after another. */
export function fill(numbers: Float32Array, draw: () => number): void {
  for (let at = 0; at < numbers.length; at++) numbers[at] = draw();
}
