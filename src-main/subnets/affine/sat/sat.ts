import { say } from '../../../../src-preload/contract/saying.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, type Judgement, wrong } from '../../../validation/environment.ts';
import { readAssignment } from './assignment.ts';
import { type Clause, type FormulaShape, hideAssignment } from './formula.ts';

/** Clauses for each variable: where formulas turn from mostly true to mostly not (Affine, SAT). */
const RATIO = 4.26;

const shape = (variables: number, width: number, balanced = false): FormulaShape => ({
  ...{ variables, width, balanced },
  clauses: Math.floor(RATIO * variables),
});

/**
 * With ten literals a clause, as the original has them, 94 of 100 guesses are right; with three it is 3 of 1,000 for fifteen variables, and none
 * of 1,000 for twenty.
 */
const LEVELS: Record<string, FormulaShape> = {
  usual: shape(15, 3),
  easy: shape(8, 3),
  medium: shape(12, 3),
  hard: shape(20, 3, true),
};

interface Formula {
  variables: number;
  clauses: readonly Clause[];
}

/** Find values that make a formula true. */
export const sat: Environment<Formula, Judgement> = {
  name: 'sat',
  version: '1',
  levels: ['usual', 'easy', 'medium', 'hard'],

  pose(random, level) {
    const wanted = LEVELS[level] as FormulaShape;
    return { variables: wanted.variables, clauses: hideAssignment(random, wanted) };
  },

  prompt: ({ variables, clauses }) => `Find values for the variables x1 to x${variables} that make this formula true:

${clauses.map(clauseText).join(' ∧ ')}

Give the value of every variable in one list, separated by commas: x1=True, x2=False, …
If no values make it true, answer UNSAT.`,

  judge({ variables, clauses }, answer) {
    const values = readAssignment(withoutThoughts(answer), variables);
    if (values.size === 0) return wrong(say('affine.sat.noValues'));
    const failing = clauses.filter(
      (clause) => !clause.some((literal) => values.get(Math.abs(literal)) === literal > 0),
    );
    if (failing.length === 0) return { score: 1, reason: say('affine.sat.solved', { clauses: clauses.length }) };
    const of = { failing: failing.length, clauses: clauses.length, given: values.size, variables };
    return wrong(say('affine.sat.failing', of));
  },
};

const clauseText = (clause: Clause) =>
  `(${clause.map((literal) => `${literal < 0 ? '¬' : ''}x${Math.abs(literal)}`).join(' ∨ ')})`;
