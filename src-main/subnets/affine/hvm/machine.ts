/** What the machine does with its stack of whole numbers; `n` is a number or a hole, the rest are places. */
export type Instruction =
  | { op: 'PUSH'; value: number | string }
  | { op: 'LOAD'; input: number }
  | { op: 'JMP' | 'JMPZ' | 'JMPNZ'; to: number | string }
  | { op: 'ADD' | 'SUB' | 'MUL' | 'DIV' | 'MOD' | 'DUP' | 'SWAP' | 'POP' | 'PRINT' | 'HALT' };

/** What fills the holes, by their names: `?a`. */
export type Filling = ReadonlyMap<string, number>;

const MOST_STEPS = 8_000;
const MOST_STACK = 256;
/** Numbers have at most so many bits: products of products would grow until nothing else is done. */
const MOST_BITS = 4_096n;
const TOO_LARGE = 1n << MOST_BITS;

/** A program cannot go on: what there is no meaning for ends it (Affine, HVM). */
class Stuck extends Error {}

/**
 * Runs a program with its holes filled. @returns its printed lines; undefined where it cannot go on, runs off its end or takes more than 8,000
 * steps
 */
export function run(
  program: readonly Instruction[],
  filling: Filling,
  inputs: readonly number[],
): string[] | undefined {
  const stack: bigint[] = [];
  const printed: string[] = [];
  try {
    for (let at = 0, steps = 0; ; steps++) {
      const instruction = program[at];
      if (!instruction || steps > MOST_STEPS) return undefined;
      if (instruction.op === 'HALT') return printed;
      at = step(instruction, at, { stack, printed, filling, inputs });
    }
  } catch (error) {
    if (error instanceof Stuck) return undefined;
    throw error;
  }
}

interface State {
  stack: bigint[];
  printed: string[];
  filling: Filling;
  inputs: readonly number[];
}

/** @returns the place of the next instruction */
function step(instruction: Instruction, at: number, { stack, printed, filling, inputs }: State): number {
  const pop = () => stack.pop() ?? stuck();
  const push = (value: bigint) => {
    if (stack.length >= MOST_STACK || value >= TOO_LARGE || -value >= TOO_LARGE) stuck();
    stack.push(value);
  };
  const filled = (value: number | string) => (typeof value === 'number' ? value : (filling.get(value) ?? stuck()));
  switch (instruction.op) {
    case 'PUSH':
      push(BigInt(filled(instruction.value)));
      break;
    case 'LOAD':
      push(BigInt(inputs[instruction.input] ?? stuck()));
      break;
    case 'JMP':
      return filled(instruction.to);
    case 'JMPZ':
      return pop() === 0n ? filled(instruction.to) : at + 1;
    case 'JMPNZ':
      return pop() === 0n ? at + 1 : filled(instruction.to);
    case 'PRINT':
      printed.push(String(pop()));
      break;
    case 'POP':
      pop();
      break;
    case 'DUP': {
      const top = pop();
      push(top);
      push(top);
      break;
    }
    case 'HALT':
      break;
    default: {
      const top = pop();
      const under = pop();
      if (instruction.op === 'SWAP') {
        push(top);
        push(under);
      } else push(reckon(instruction.op, under, top));
    }
  }
  return at + 1;
}

/** DIV goes towards zero; MOD has the sign of what it divides by. */
function reckon(op: 'ADD' | 'SUB' | 'MUL' | 'DIV' | 'MOD', a: bigint, b: bigint): bigint {
  if (op === 'ADD') return a + b;
  if (op === 'SUB') return a - b;
  if (op === 'MUL') return a * b;
  if (b === 0n) return stuck();
  return op === 'DIV' ? a / b : ((a % b) + b) % b;
}

function stuck(): never {
  throw new Stuck();
}
