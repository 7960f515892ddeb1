import { z } from 'zod';
import { boundedArray } from '../../../../src-preload/contract/bounded.ts';
import { jsonExcess } from '../../../base/json-shape.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { faultText } from '../../../base/value-fault.ts';
import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import type { DatasetKind } from '../../../validation/datasets/dataset-kind.ts';
import { ROW_FIELDS, rowText, rowWords } from '../../../validation/datasets/row-fields.ts';
import { plainText } from './answer-program.ts';
import { judgeProgram, rules, type Wanted } from './ded.ts';

const MOST_PROMPT = 60_000;
const MOST_TEXT = 1_000_000;
/** Of a row; and of them, those that an answer is tried with: each takes its time. */
const MOST_CASES = 500;
const TRIED_CASES = 20;

/** Whatever JSON has, if all of its numbers are what was written, and no text has half a character. */
const exactValue = z.unknown().refine(isExactValue, faultText('value.exactNumber'));

const caseSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stdin_stdout'),
    input: exactValue.transform((given) => withLastNewline(plainText(given ?? ''))).pipe(rowText(MOST_TEXT)),
    output: present(exactValue).transform(plainText).pipe(rowText(MOST_TEXT)),
  }),
  z.object({
    type: z.literal('function_call'),
    /** Its arguments. */
    input: present(exactValue).transform((given) => (Array.isArray(given) ? given : [given])),
    /** What it returns; the first of a list. */
    output: present(exactValue)
      .transform((given) => plainText(Array.isArray(given) ? given[0] : given))
      .pipe(rowText(MOST_TEXT)),
    fn_name: z.string().regex(/^[A-Za-z_]\w{0,99}$/),
  }),
]);
type Case = z.output<typeof caseSchema>;

const cases = boundedArray(caseSchema, MOST_CASES, 1).refine(isOneSort, faultText('value.oneSort'));

const bare = z.object({ ...ROW_FIELDS, prompt: rowWords(MOST_PROMPT), test_cases: cases });

/** The cases stand in the row, or as the original has them: as JSON, perhaps as text, under `verification_info`. */
const row = z.preprocess((given) => {
  const { verification_info: info, ...rest } = (given ?? {}) as Record<string, unknown>;
  if (info === undefined || info === null) return given;
  const found = typeof info === 'string' ? parsed(info) : info;
  return { ...rest, test_cases: (found as { test_cases?: unknown } | undefined)?.test_cases };
}, bare);

/** Programs to be written, with cases that they are tried with. @param sandbox where they run */
export const dedRows = (sandbox: Pick<ProgramSandbox, 'run'>): DatasetKind<z.output<typeof row>, Wanted> => ({
  name: 'ded',
  version: '1',
  row,
  pose: async (random, draw) => {
    const { prompt, test_cases: all } = await draw();
    const [first] = all;
    const tried = all.length > TRIED_CASES ? random.sample(all, TRIED_CASES) : all;
    const calls = first?.type === 'function_call' ? first.fn_name : undefined;
    return { text: prompt.trimEnd(), calls, hidden: tried.map(caseOf) };
  },
  prompt: ({ text, calls }) => `${text}\n\n${rules(calls)}`,
  judge: judgeProgram(sandbox),
});

const caseOf = (one: Case) => ({
  stdin: one.type === 'function_call' ? JSON.stringify(one.input) : one.input,
  stdout: one.output,
});

function present<Schema extends z.ZodType>(schema: Schema) {
  return schema.refine((value) => value !== undefined, faultText('value.missing'));
}

function isOneSort(all: readonly Case[]): boolean {
  const sorts = all.map((one) => (one.type === 'function_call' ? one.fn_name : ''));
  return new Set(sorts).size === 1;
}

function withLastNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Whole numbers of JSON that are too long are rounded as they are read; others are of as many digits here as in Python. */
function isExactValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isExactValue);
}

/** What is none has no cases. */
function parsed(text: string): unknown {
  return jsonExcess(Buffer.from(text)) ? undefined : parsedJson(text);
}
