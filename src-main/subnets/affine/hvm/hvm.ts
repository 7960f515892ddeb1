import { say } from '../../../../src-preload/contract/saying.ts';
import { lastBlock, withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, type Judgement, wrong } from '../../../validation/environment.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { type Filling, type Instruction, run } from './machine.ts';
import { classic, type Domain, type Template, varied } from './programs.ts';

/** Inputs of one run, and what it has to print. */
interface Case {
  inputs: readonly number[];
  printed: readonly string[];
}

interface Puzzle extends Template {
  cases: readonly Case[];
}

const CASES = 3;
/** Guesses of which none may be right. */
const GUESSES = 64;
const MOST_LINES = 200;

/** How many loops; none stands for the program of the original. */
const LEVELS: Record<string, number> = { usual: 1, classic: 0, hard: 3 };

/** Find what fills the holes of a program, so that it prints what it should. */
export const hvm: Environment<Puzzle, Judgement> = {
  name: 'hvm',
  version: '1',
  levels: ['usual', 'classic', 'hard'],

  pose(random, level) {
    const loops = LEVELS[level] as number;
    for (;;) {
      const puzzle = drawn(random, loops === 0 ? classic() : varied(random, loops));
      if (puzzle && isTelling(puzzle) && !canBeGuessed(random, puzzle)) return puzzle;
    }
  },

  prompt: ({ program, holes, cases }) => `A small machine works on a stack of whole numbers. Its instructions:
${MANUAL}

Program:
${program.map(lineText).join('\n')}

Holes and domains:
${[...holes].map(([name, domain]) => `- ${name}: ${domainText(domain)}`).join('\n')}

Test cases:
${cases.map(caseText).join('\n')}

Fill each hole with one number of its domain, so that the program prints what is expected in every test case. Answer with nothing but this block, one line for each hole:
<HOLES>
?a=1
?b=-2
?c=5
</HOLES>`,

  judge({ program, holes, cases }, answer) {
    const read = readHoles(withoutThoughts(answer));
    if (!read) return wrong(say('affine.hvm.noHoles'));
    for (const [name, domain] of holes) {
      const value = read.get(name);
      if (value === undefined) return wrong(say('affine.hvm.missing', { hole: name }));
      if (value < domain.least || value > domain.most) return wrong(say('affine.hvm.outside', { hole: name }));
    }
    if (read.size !== holes.size) return wrong(say('affine.hvm.unknownHole'));
    const passed = cases.filter(({ inputs, printed }) => isSame(run(program, read, inputs), printed)).length;
    if (passed === cases.length) return { score: 1, reason: say('affine.hvm.solved', { cases: passed }) };
    return wrong(say('affine.hvm.failed', { passed, cases: cases.length }));
  },
};

const isSame = (printed: readonly string[] | undefined, expected: readonly string[]) =>
  printed?.length === expected.length && printed.every((line, at) => line === expected[at]);

const within = (random: SeededRandom, { least, most }: Domain) => random.between(least, most);

const fill = (random: SeededRandom, { holes }: Template): Filling =>
  new Map([...holes].map(([name, domain]) => [name, within(random, domain)]));

/** Inputs with what the program prints of them, by a filling that nobody keeps; undefined where it prints nothing. */
function drawn(random: SeededRandom, template: Template): Puzzle | undefined {
  const secret = fill(random, template);
  const cases: Case[] = [];
  for (let number = 0; number < CASES; number++) {
    const inputs = template.inputs.map((domain) => within(random, domain));
    const printed = run(template.program, secret, inputs);
    if (!printed || printed.length === 0) return undefined;
    cases.push({ inputs, printed });
  }
  return { ...template, cases };
}

/** Whether its cases print different things. */
const isTelling = ({ cases }: Puzzle) => new Set(cases.map(({ printed }) => printed.join('\n'))).size > 1;

function canBeGuessed(random: SeededRandom, puzzle: Puzzle): boolean {
  const guesses = Array.from({ length: GUESSES }, () => fill(random, puzzle));
  return guesses.some((guess) =>
    puzzle.cases.every(({ inputs, printed }) => isSame(run(puzzle.program, guess, inputs), printed)),
  );
}

const HOLE = /^(\?[a-z]\w{0,30})\s*=\s*(-?\d{1,15})$/i;

/** Names and numbers of an answer's last block; undefined where there is none, or something else in it. Lines with `#` are remarks. */
function readHoles(answer: string): Map<string, number> | undefined {
  const lines = lastBlock(answer, 'HOLES')?.split('\n', MOST_LINES);
  const told = lines?.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  const read = told?.map((line) => HOLE.exec(line));
  if (!read || read.includes(null)) return undefined;
  return new Map(read.map((match) => [match?.[1] ?? '', Number(match?.[2])]));
}

const MANUAL = `PUSH n: puts n on top. LOAD i: puts input i on top, counted from 0.
ADD, SUB, MUL, DIV, MOD: take b from the top, then a, and put the result of a and b on top. DIV rounds towards zero; the result of MOD has the sign of b.
DUP: puts the top there once more. SWAP: exchanges the two on top. POP: takes the top away.
JMP k: goes on at instruction k. JMPZ k and JMPNZ k: take the top, and go on at k if it is zero, or is not.
PRINT: takes the top and prints it as a line. HALT: ends.`;

function lineText(instruction: Instruction, at: number): string {
  const { op, ...args } = instruction;
  return [`${String(at).padStart(3, '0')}: ${op}`, ...Object.values(args)].join(' ');
}

/** Up to 15 numbers are told one by one. */
const MOST_TOLD = 15;

function domainText({ least, most }: Domain): string {
  const numbers = most - least + 1;
  if (numbers > MOST_TOLD) return `[${least}, ${most}] (integers)`;
  return `{${Array.from({ length: numbers }, (_, at) => least + at).join(', ')}}`;
}

const caseText = (
  { inputs, printed }: Case,
  at: number,
) => `Case #${at + 1}: input=[${inputs.join(', ')}]  expected stdout=
---
${printed.join('\n')}
---`;
