import { randomInt } from 'node:crypto';

const STEPS = 2 ** 32;

/** A number from 0 to below 1 that nobody can foresee, unlike those of `Math.random`. */
export const unforeseen = (): number => randomInt(STEPS) / STEPS;
