/** Solves challenges from what a miner is told, as a good model would: formulas, and some of the problems with a number. */
export function solve(prompt: string): string {
  return isFormula(prompt) ? solveFormula(prompt) : solveProblem(prompt);
}

/** The same form of answer, but a wrong one. */
export function err(prompt: string): string {
  return isFormula(prompt) ? 'UNSAT' : '<Answer>-1</Answer>';
}

/**
 * Errs in this share of the challenges of each kind, evenly spread: by chance, one of less skill is the better one now and then, and one count for all kinds
 * may have somebody err in all of one and in none of another.
 */
export function erring(share: number): (prompt: string) => string {
  const asked = { formulas: 0, problems: 0 };
  return (prompt) => {
    const before = asked[isFormula(prompt) ? 'formulas' : 'problems']++;
    return Math.floor((before + 1) * share) > Math.floor(before * share) ? err(prompt) : solve(prompt);
  };
}

/** Whether it asks for what makes a formula true, and not for a number. */
const isFormula = (prompt: string): boolean => prompt.includes('make this formula true');

function solveFormula(prompt: string): string {
  const variables = Number(/x1 to x(\d+)/.exec(prompt)?.[1]);
  const clauses = [...prompt.matchAll(/\(([^()]*x\d+[^()]*)\)/g)].map(([, clause = '']) =>
    [...clause.matchAll(/(¬?)x(\d+)/g)].map(([, no, number]) => ({
      bit: 1 << (Number(number) - 1),
      wanted: no === '',
    })),
  );
  for (let values = 0; values < 2 ** variables; values++) {
    if (clauses.every((clause) => clause.some(({ bit, wanted }) => ((values & bit) !== 0) === wanted))) {
      const list = Array.from({ length: variables }, (_, at) => `x${at + 1}=${values & (1 << at) ? 'True' : 'False'}`);
      return list.join(', ');
    }
  }
  return 'UNSAT';
}

type Solver = [RegExp, (...numbers: number[]) => number | bigint];
const SOLVERS: Solver[] = [
  [
    /integers below (\d+) that are divisible by (\d+) or by (\d+), but not by both/,
    (end, a, b) => sum(end, (number) => (number % a! === 0) !== (number % b! === 0)),
  ],
  [
    /from 1 to (\d+) have no common divisor with (\d+)/,
    (end, product) => countTo(end, (number) => gcd(number, product!) === 1),
  ],
  [/^(\d+) people .* counted as (\d+) leaves/, (people, step) => survivor(people!, step!)],
  [
    /remainder of (\d+)\^(\d+) \+ (\d+)\^(\d+) when it is divided by (\d+)/,
    (a, b, c, d, m) => (power(a!, b!) + power(c!, d!)) % BigInt(m!),
  ],
  [
    /decimal digits of (\d+)\^(\d+)/,
    (a, b) => [...String(power(a!, b!))].reduce((all, digit) => all + Number(digit), 0),
  ],
  [/x² \+ y² ≤ (\d+)/, (square) => points(square!)],
];

function solveProblem(prompt: string): string {
  for (const [pattern, answer] of SOLVERS) {
    const found = pattern.exec(prompt);
    if (found) return `<Answer>${answer(...found.slice(1).map(Number))}</Answer>`;
  }
  return '<Answer>0</Answer>';
}

const power = (base: number, exponent: number) => BigInt(base) ** BigInt(exponent);
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function sum(end = 0, which: (number: number) => boolean): bigint {
  let all = 0n;
  for (let number = 1; number < end; number++) if (which(number)) all += BigInt(number);
  return all;
}

function countTo(end = 0, which: (number: number) => boolean): number {
  let count = 0;
  for (let number = 1; number <= end; number++) if (which(number)) count++;
  return count;
}

function survivor(people: number, step: number): number {
  let last = 0;
  for (let size = 2; size <= people; size++) last = (last + step) % size;
  return last + 1;
}

function points(square: number): number {
  let count = 0;
  for (let x = 0; x * x <= square; x++) count += (x === 0 ? 1 : 2) * (2 * Math.floor(Math.sqrt(square - x * x)) + 1);
  return count;
}
