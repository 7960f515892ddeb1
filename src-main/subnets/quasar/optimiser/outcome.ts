import type { AttemptOutcome } from '../../../../src-preload/contract/optimiser-numbers.ts';
import { MOST_SOURCE_BYTES } from '../../../../src-preload/contract/optimiser-numbers.ts';
import { sentence } from '../../../../src-preload/contract/saying.ts';
import type { KernelFault } from '../kernels/judge-kernel.ts';
import type { Compiled } from './compile/compile-kernel.ts';
import type { Mistake } from './compile/compile-messages.ts';
import type { Examined } from './examine.ts';

/** Of an attempt: what it came to, and what was wrong, in words for the model that wrote it. */
export interface Outcome {
  outcome: AttemptOutcome;
  detail: string | null;
}

/** Of what a model is told of one attempt, UTF-16 units. */
export const MOST_DETAIL = 2_000;
/** Lines of its source that it is shown above and below a mistake. */
const AROUND = 2;
const MOST_LINE = 160;

const NAMES = new Set([2304, 2339, 2503, 2552, 2305, 2663]);
const IMPORTS = new Set([6054, 2307, 2306]);

/** What kind of mistake it is, by the number that the compiler gives it: those of TypeScript, and its own from 100 on. */
export function kindOf({ code }: Pick<Mistake, 'code'>): AttemptOutcome {
  if (IMPORTS.has(code)) return 'imports';
  if (NAMES.has(code)) return 'name';
  if (code >= 1_000 && code < 2_000) return 'syntax';
  return (code >= 2_000 && code < 3_000) || (code >= 100 && code < 1_000) ? 'type' : 'unknown';
}

/** Of a source that does not compile. A syntax error comes first: the others may follow from it. */
export function compileOutcome(compiled: Exclude<Compiled, { module: string }>, source: string): Outcome {
  if ('tooLarge' in compiled)
    return {
      outcome: 'tooLarge',
      detail: `The source has ${compiled.tooLarge} bytes; ${MOST_SOURCE_BYTES} are allowed.`,
    };
  if ('tooMuch' in compiled)
    return {
      outcome: compiled.tooMuch,
      detail: `The compiler took too much ${compiled.tooMuch === 'late' ? 'time' : 'memory'} for this source and was ended. Write it simpler.`,
    };
  if ('gaveUp' in compiled) return { outcome: 'unknown', detail: `The compiler gave up: ${compiled.gaveUp}` };
  const [first] = compiled.mistakes;
  return {
    outcome: first ? kindOf(first) : 'unknown',
    detail: bounded(compiled.mistakes.map((each) => mistakeText(each, source)).join('\n\n')),
  };
}

/** «Line 3: Cannot find name 'x'.», with the lines around it. */
function mistakeText({ code, message, line }: Mistake, source: string): string {
  if (line === null) return `AssemblyScript ${code}: ${message}`;
  const lines = source.split('\n');
  const from = Math.max(0, line - 1 - AROUND);
  const shown = lines.slice(from, line + AROUND).map((text, at) => {
    const number = from + at + 1;
    return `${number === line ? '>' : ' '} ${String(number).padStart(4)} | ${text.slice(0, MOST_LINE)}`;
  });
  return [`Line ${line}, AssemblyScript ${code}: ${message}`, ...shown].join('\n');
}

const FAULTS: Record<KernelFault, AttemptOutcome> = {
  'too-large': 'tooLarge',
  'too-complex': 'tooLarge',
  'not-a-module': 'unknown',
  imports: 'imports',
  exports: 'exports',
  memory: 'memory',
  traps: 'trap',
  late: 'late',
  died: 'outOfMemory',
  tampers: 'wrong',
  wrong: 'wrong',
};

/** What helps with a kind of fault, beyond what was found. */
const ADVICE: Partial<Record<AttemptOutcome, string>> = {
  imports:
    'A kernel imports nothing: no «declare», no «@external», no other file. Math and SIMD of AssemblyScript are there.',
  exports: 'Keep the exported function «step» exactly as the specification has it.',
  memory: 'Work in the buffers that are handed over and in static memory; never grow the memory.',
  trap: 'It read or wrote outside of memory, divided by zero or ran out of stack: check indices and loop ends.',
  late: 'A loop may not end, or does far more work than the baseline.',
  wrong:
    'Compare it step by step with the baseline: order of decay, update and output, and what happens to the state between calls.',
};

/** Of a module that was examined. */
export function examinedOutcome(examined: Examined): Outcome {
  if (examined.right) return { outcome: 'measured', detail: null };
  const outcome = FAULTS[examined.fault];
  return { outcome, detail: bounded([sentence(examined.reason), ADVICE[outcome]].filter(Boolean).join('\n')) };
}

/** Of an answer without code. */
export const NO_CODE: Outcome = {
  outcome: 'noCode',
  detail: 'The answer had no code: write the whole source in one block that begins with ```ts and ends with ```.',
};

/** Of code that was tried before. @param number of that attempt @param before what came of it */
export function repeatedOutcome(number: number, before: Outcome): Outcome {
  const came = before.detail === null ? before.outcome : `${before.outcome}: ${before.detail}`;
  return { outcome: 'repeated', detail: bounded(`This is the code of attempt ${number} again, which came to ${came}`) };
}

const bounded = (text: string) => (text.length > MOST_DETAIL ? `${text.slice(0, MOST_DETAIL - 1)}…` : text);
