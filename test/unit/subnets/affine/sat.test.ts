import { describe, expect, it } from 'vitest';
import { readAssignment } from '../../../../src-main/subnets/affine/sat/assignment.ts';
import { hideAssignment } from '../../../../src-main/subnets/affine/sat/formula.ts';
import { sat } from '../../../../src-main/subnets/affine/sat/sat.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import { SeededRandom } from '../../../../src-main/validation/seeded-random.ts';

/** Clauses as the prompt tells them. */
function clausesOf(prompt: string): number[][] {
  const clauses = prompt.matchAll(/\(([^()]*)\)/g);
  return [...clauses].map(([, clause]) =>
    (clause ?? '').split(' ∨ ').map((literal) => Number(literal.replace('¬x', '-').replace('x', ''))),
  );
}

/** Values that make clauses true, found without looking at how they were made (DPLL). */
function solve(clauses: number[][], values: Map<number, boolean> = new Map()): Map<number, boolean> | undefined {
  const open = clauses
    .filter((clause) => !clause.some((literal) => values.get(Math.abs(literal)) === literal > 0))
    .map((clause) => clause.filter((literal) => !values.has(Math.abs(literal))));
  if (open.length === 0) return values;
  if (open.some((clause) => clause.length === 0)) return undefined;
  const [[first] = []] = open.toSorted((a, b) => a.length - b.length);
  const literal = first as number;
  for (const value of [literal > 0, literal < 0]) {
    const found = solve(open, new Map([...values, [Math.abs(literal), value]]));
    if (found) return found;
  }
  return undefined;
}

const told = (values: Iterable<[number, boolean]>) =>
  [...values].map(([name, value]) => `x${name}=${value ? 'True' : 'False'}`).join(', ');

describe('a formula', () => {
  it.each(sat.levels.flatMap((level) => Array.from({ length: 15 }, (_, seed) => [level, `${seed}`] as const)))(
    'that is %s, of seed %s, can be solved by whoever reads the prompt',
    async (level, seed) => {
      const { prompt, judge } = await pose(sat, level, seed);
      const clauses = clausesOf(prompt);
      const variables = Number(/x1 to x(\d+)/.exec(prompt)?.[1]);
      expect(clauses).toHaveLength(Math.floor(4.26 * variables));
      const values = solve(clauses);
      expect(values).toBeDefined();
      for (let name = 1; name <= variables; name++) if (!values!.has(name)) values!.set(name, false);
      expect(judge(`So:\n${told(values!)}`)).toMatchObject({ score: 1, reason: { key: 'affine.sat.solved' } });
    },
  );

  it.each([
    ['usual', 0.02],
    ['hard', 0.005],
  ] as const)('that is %s is not guessed: at most %d of all guesses are right', async (level, most) => {
    const random = new SeededRandom('guesses');
    let right = 0;
    for (let seed = 0; seed < 1_000; seed++) {
      const { judge } = await pose(sat, level, `${seed}`);
      const guess = Array.from({ length: 20 }, (_, at) => [at + 1, random.coin()] as [number, boolean]);
      right += judge(told(guess)).score + judge(told(guess.map(([name]) => [name, true]))).score;
    }
    expect(right / 2_000).toBeLessThan(most);
  });

  it('that is balanced shows each value as often as the other', () => {
    const shape = { variables: 20, width: 3, clauses: 20_000 };
    const agreeing = (balanced: boolean) => {
      const [hidden, clauses] = [new SeededRandom('b'), hideAssignment(new SeededRandom('b'), { ...shape, balanced })];
      const values = Array.from({ length: 20 }, () => hidden.coin()); // the first that is drawn
      const literals = clauses.flat();
      return literals.filter((literal) => values[Math.abs(literal) - 1] === literal > 0).length / literals.length;
    };
    expect(agreeing(true)).toBeCloseTo(0.5, 2);
    expect(agreeing(false)).toBeCloseTo(2 / 3, 2);
  });
});

const { judge } = await pose(sat, 'easy', 'answer');

describe('an answer', () => {
  it.each([
    ['', 'affine.sat.noValues'],
    ['UNSAT', 'affine.sat.noValues'],
    ['x1=True', 'affine.sat.failing'],
    ['x99=True', 'affine.sat.noValues'],
  ])('of %j scores nothing: %s', (answer, key) => {
    expect(judge(answer)).toMatchObject({ score: 0, reason: { key } });
  });

  it.each([
    ['x1=True, x2=False', 'TF'],
    ['x1 = true\nx2: 0', 'TF'],
    ['**x1** = `1`, X2=FALSE', 'TF'],
    ['x_1=True and x_2=False', 'TF'],
    ['Perhaps x1=False? No: x1=True, x2=False', 'TF'],
    ['x1=True, x2=False. With x1=True the first clause holds, with x2=True it would not.', 'TF'],
    ['x1=True, x2=True … better: x1=False, x2=False', 'FF'],
    ['First x1=True. I think now of something else, at some length, and then of x2=True. But x1=False!', 'FT'],
    ['x1=10, x2=Trueish', ''],
  ])('%j gives %s', (text, values) => {
    const read = readAssignment(text, 2);
    expect([1, 2].map((name) => ({ true: 'T', false: 'F' })[String(read.get(name))] ?? '').join('')).toBe(values);
  });
});
