import type { SeededRandom } from '../../../validation/seeded-random.ts';
import type { Instruction } from './machine.ts';

/** Whole numbers, both ends too. */
export interface Domain {
  least: number;
  most: number;
}

/** A program with holes, what they may be filled with, and what its inputs may be. */
export interface Template {
  program: readonly Instruction[];
  holes: ReadonlyMap<string, Domain>;
  inputs: readonly Domain[];
}

type Plain = 'ADD' | 'SUB' | 'MUL' | 'DIV' | 'MOD' | 'DUP' | 'SWAP' | 'POP' | 'PRINT' | 'HALT';

const TERM: Domain = { least: -9, most: 9 };
const DIVISOR: Domain = { least: 3, most: 30 };
const FACTOR: Domain = { least: 0, most: 12 };
const VALUE: Domain = { least: -8, most: 8 };
const COUNT: Domain = { least: 1, most: 8 };
const only = (place: number): Domain => ({ least: place, most: place });

const push = (value: number | string): Instruction => ({ op: 'PUSH', value });
const load = (input: number): Instruction => ({ op: 'LOAD', input });
const plain = (...ops: Plain[]): Instruction[] => ops.map((op) => ({ op }));

/** The one program of the original, whose holes and inputs alone vary (Affine, HVM). It can be learned by heart: see {@link varied}. */
export function classic(): Template {
  const holes = { a: TERM, b: TERM, c: DIVISOR, d: FACTOR, e: TERM, f: DIVISOR, g: only(25), h: only(12) };
  const program = [
    ...[load(0), load(1), push('?a'), ...plain('MUL'), push('?b'), ...plain('MUL', 'ADD')],
    ...[...plain('DUP'), push('?c'), ...plain('MOD', 'PRINT'), load(2)],
    ...[...plain('DUP'), { op: 'JMPZ', to: '?g' } as const, ...plain('SWAP')],
    ...[push('?d'), ...plain('MUL'), push('?e'), ...plain('ADD'), push('?f'), ...plain('MOD')],
    ...[...plain('SWAP'), push(1), ...plain('SUB'), { op: 'JMP', to: '?h' } as const],
    ...plain('POP', 'PRINT', 'HALT'),
  ];
  const named = Object.entries(holes).map(([name, domain]) => [`?${name}`, domain] as const);
  return { program, holes: new Map(named), inputs: [VALUE, VALUE, COUNT] };
}

/**
 * A program that is put together anew each time: a sum of two or three inputs, then one or more loops that work on it, each turned as many times as
 * another input says, with something printed on the way. Whatever fills the holes, it runs to its end.
 * @param loops how many
 */
export function varied(random: SeededRandom, loops: number): Template {
  const values = random.between(2, 3);
  const sheet = new Sheet();
  sumOfInputs(sheet, random, values);
  printRest(sheet, random);
  for (let loop = 0; loop < loops; loop++) {
    (random.coin() ? testedFirst : testedLast)(sheet, random, values + loop);
    if (loop + 1 < loops && random.coin()) printRest(sheet, random);
  }
  sheet.write(...plain('PRINT', 'HALT'));
  const inputs = [...Array<Domain>(values).fill(VALUE), ...Array<Domain>(loops).fill(COUNT)];
  return { program: sheet.program, holes: sheet.holes, inputs };
}

/** A program as it is written, with names for its holes. */
class Sheet {
  readonly program: Instruction[] = [];
  readonly holes = new Map<string, Domain>();

  write(...instructions: Instruction[]): void {
    this.program.push(...instructions);
  }

  hole(domain: Domain): Instruction {
    const name = `?${String.fromCharCode('a'.charCodeAt(0) + this.holes.size)}`;
    this.holes.set(name, domain);
    return push(name);
  }
}

function sumOfInputs(sheet: Sheet, random: SeededRandom, values: number): void {
  for (let input = 0; input < values; input++) {
    sheet.write(load(input), sheet.hole(TERM), ...plain(random.pick(['MUL', 'MUL', 'ADD', 'SUB'])));
    if (input > 0) sheet.write(...plain(random.pick(['ADD', 'SUB', 'MUL'])));
  }
}

function printRest(sheet: Sheet, random: SeededRandom): void {
  sheet.write(...plain('DUP'), sheet.hole(DIVISOR), ...plain(random.pick(['MOD', 'MOD', 'DIV']), 'PRINT'));
}

/** What a loop does to the number on the stack; it stays small. */
function change(sheet: Sheet, random: SeededRandom): void {
  const forms: (() => Instruction[])[] = [
    () => [sheet.hole(FACTOR), ...plain('MUL'), sheet.hole(TERM), ...plain('ADD')],
    () => [sheet.hole(TERM), ...plain('ADD'), sheet.hole(FACTOR), ...plain('MUL')],
    () => [...plain('DUP', 'MUL'), sheet.hole(TERM), ...plain('ADD')],
    () => [...plain('DUP'), sheet.hole(FACTOR), ...plain('ADD', 'MUL'), sheet.hole(TERM), ...plain('SUB')],
    () => [sheet.hole(TERM), ...plain('SWAP', 'SUB'), sheet.hole(FACTOR), ...plain('MUL')],
  ];
  sheet.write(...random.pick(forms)(), sheet.hole(DIVISOR), ...plain('MOD'));
}

/** Turns as often as an input says, which it looks at before each turn. */
function testedFirst(sheet: Sheet, random: SeededRandom, input: number): void {
  sheet.write(load(input));
  const start = sheet.program.length;
  const leave = { op: 'JMPZ' as const, to: 0 };
  sheet.write(...plain('DUP'), leave, ...plain('SWAP'));
  change(sheet, random);
  sheet.write(...plain('SWAP'), push(1), ...plain('SUB'), { op: 'JMP', to: start });
  leave.to = sheet.program.length;
  sheet.write(...plain('POP'));
}

/** The same, but it looks after each turn. */
function testedLast(sheet: Sheet, random: SeededRandom, input: number): void {
  sheet.write(load(input));
  const start = sheet.program.length;
  sheet.write(...plain('SWAP'));
  change(sheet, random);
  sheet.write(...plain('SWAP'), push(1), ...plain('SUB', 'DUP'), { op: 'JMPNZ', to: start }, ...plain('POP'));
}
