import type { SeededRandom } from '../../../validation/seeded-random.ts';

/** `3` says that x3 is true, `-3` that it is false: a clause holds if one of its literals does. */
export type Clause = readonly number[];

export interface FormulaShape {
  variables: number;
  /** Literals of a clause, each of another variable. */
  width: number;
  clauses: number;
  /** Whether literals lean to the hidden assignment no more than away from it: see {@link balancedSatisfied}. */
  balanced: boolean;
}

/**
 * A formula that an assignment makes true, which is drawn first (Affine, SAT): each clause has a literal that holds, and the others are as a coin
 * falls; balanced, how many of them hold is drawn so that on the whole no value of a variable is seen more often than the other.
 */
export function hideAssignment(random: SeededRandom, { variables, width, clauses, balanced }: FormulaShape): Clause[] {
  const names = Array.from({ length: variables }, (_, at) => at + 1);
  const hidden = names.map(() => random.coin());
  return Array.from({ length: clauses }, () => {
    const chosen = random.sample(names, width);
    const holding = balanced ? balancedHolding(random, width) : coinHolding(random, width);
    return chosen.map((name, at) => (hidden[name - 1] === holding[at] ? name : -name));
  });
}

/** Which literals of a clause hold: one that is drawn, and of the others those that a coin says. */
function coinHolding(random: SeededRandom, width: number): boolean[] {
  const sure = random.below(width);
  return Array.from({ length: width }, (_, at) => at === sure || random.coin());
}

/**
 * Likelihood of t holding literals goes with qᵗ, where (1 − q)(1 + q)^(width − 1) = 1: for three literals q is 0.618. Then a variable’s literals
 * agree with the hidden value as often as not (Jia, Moore, Strain: Generating hard satisfiable formulas by hiding solutions deceptively, 2007).
 * In parts of the sum 3q + 3q² + q³.
 */
const BALANCED_OF_THREE = [1_854_102, 1_145_898, 236_068] as const;

function balancedHolding(random: SeededRandom, width: number): boolean[] {
  if (width !== 3) throw new RangeError('balanced clauses have three literals');
  const [one, two, three] = BALANCED_OF_THREE;
  const drawn = random.below(one + two + three);
  const count = drawn < one ? 1 : drawn < one + two ? 2 : 3;
  const holding = random.sample([0, 1, 2], count);
  return [0, 1, 2].map((at) => holding.includes(at));
}
