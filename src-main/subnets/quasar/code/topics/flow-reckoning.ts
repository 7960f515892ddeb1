import type { SeededRandom } from '../../../../validation/seeded-random.ts';

/** What the module that is not there reckons. Numbers stay far below 2^53. */
export interface Reckoning {
  factor: number;
  modulus: number;
  most: number;
}

/** Primes, so that little is lost on the way. */
const MODULI = [99_991, 104_729, 224_737, 350_377, 479_909, 611_953];

export const drawReckoning = (random: SeededRandom): Reckoning => ({
  factor: random.between(11, 97),
  modulus: random.pick(MODULI),
  most: random.between(20_000, 90_000),
});

export const fold = ({ factor, modulus }: Reckoning, a: number, b: number): number => (a * factor + b) % modulus;
export const bound = ({ most }: Reckoning, a: number): number => (a > most ? a % most : a);

/** The same in words, a convention each. */
export const reckoningText = (absent: string, { factor, modulus, most }: Reckoning): string[] => [
  `fold(a, b) of ${absent} is the remainder of a * ${factor} + b when divided by ${modulus}.`,
  `bound(a) of ${absent} is a itself up to ${most}, and above that the remainder of a when divided by ${most}.`,
];
