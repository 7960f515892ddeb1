import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { faultText } from '../../../base/value-fault.ts';
import type { ProgramRun, ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import type { DatasetKind } from '../../../validation/datasets/dataset-kind.ts';
import { ROW_FIELDS, rowText, rowWords } from '../../../validation/datasets/row-fields.ts';
import type { SeededRandom } from '../../../validation/seeded-random.ts';
import { printsSame } from '../programs/output.ts';
import { finding } from './abd.ts';
import { otherInput } from './other-input.ts';
import type { PrintedBy } from './programs.ts';

/** All of it is told to the miner. */
const MOST_PROGRAM = 30_000;
const MOST_TEXT = 20_000;
/** Programs that are tried for a challenge, and inputs for each. */
const TRIED_PROGRAMS = 8;
const TRIED_INPUTS = 4;

/** As text, or as a list of its lines. */
const lines = z
  .union([z.string(), z.array(z.string()).max(10_000)])
  .transform((given) => (typeof given === 'string' ? given : given.join('\n')))
  .transform((given) => given.replaceAll('\r\n', '\n').trimEnd());

const row = z.object({
  ...ROW_FIELDS,
  program: rowWords(MOST_PROGRAM),
  inputs: lines.pipe(rowWords(MOST_TEXT)),
  output: lines.pipe(rowText(MOST_TEXT)).refine(isTelling, faultText('value.telling')),
});
type Row = z.output<typeof row>;

/**
 * Programs with an example of what they read and print. The example is known to whoever has the data set, so what is asked for is what the program
 * prints of another input. @param sandbox where programs run
 */
export const abdRows = (sandbox: Pick<ProgramSandbox, 'run'>): DatasetKind<Row, Omit<PrintedBy, 'input'>> => ({
  name: 'abd',
  version: '1',
  row,
  pose: async (random, draw) => {
    for (let tried = 0; tried < TRIED_PROGRAMS; tried++) {
      const drawn = await draw();
      const printed = await otherOutput(sandbox, random, drawn);
      if (printed !== undefined) return { program: drawn.program.trimEnd(), printed };
    }
    const message = say('datasets.noProgram', { tried: TRIED_PROGRAMS });
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('datasets.otherPrograms') });
  },
  ...finding(sandbox),
});

/**
 * What a program prints of another input than its example; undefined for a program that does not print what its example says, refuses all others, or
 * prints something else each time.
 */
async function otherOutput(
  sandbox: Pick<ProgramSandbox, 'run'>,
  random: SeededRandom,
  { program, inputs, output }: Row,
): Promise<string | undefined> {
  const others = new Set(Array.from({ length: TRIED_INPUTS }, () => otherInput(random, inputs)));
  others.delete(inputs);
  const tried = [...others];
  const isExample = (printed: string | undefined) => printed !== undefined && printsSame(printed, output);
  const isEnough = (run: ProgramRun, at: number) => at === 0 && !isExample(printedBy(run));
  const ran = await sandbox.run(program, [inputs, ...tried, ...tried], { isEnough });
  const [example, ...printed] = ran.map(printedBy);
  if (example === undefined || !isExample(example)) return undefined;
  const found = tried.findIndex((_, at) => isAsked(printed[at], printed[at + tried.length], example));
  return found < 0 ? undefined : printed[found]?.trimEnd();
}

/** What a run printed, if it ended well. */
function printedBy(run: ProgramRun): string | undefined {
  const isClean = run.outcome === 'ran' && !run.truncated && run.stderr.trim() === '';
  return isClean && run.stdout.length <= MOST_TEXT ? run.stdout : undefined;
}

function isAsked(printed: string | undefined, again: string | undefined, example: string): boolean {
  return printed !== undefined && printed === again && isTelling(printed) && !printsSame(printed, example);
}

/** What has one character only is printed of many inputs. */
function isTelling(printed: string): boolean {
  return new Set(printed.trim()).size >= 2;
}
