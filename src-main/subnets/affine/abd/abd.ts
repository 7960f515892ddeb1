import { say } from '../../../../src-preload/contract/saying.ts';
import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { lastBlock, withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, wrong } from '../../../validation/environment.ts';
import { printsSame } from '../programs/output.ts';
import { type PrintedBy, SORTS } from './programs.ts';

/** What is asked for and judged, wherever the program comes from. @param sandbox where it runs */
export const finding = (
  sandbox: Pick<ProgramSandbox, 'run'>,
): Pick<Environment<Omit<PrintedBy, 'input'>>, 'prompt' | 'judge'> => ({
  prompt: ({ program, printed }) => `Find an input for a program, so that it prints what is expected.

Program:
\`\`\`python
${program}
\`\`\`

Expected output:
\`\`\`
${printed}
\`\`\`

Give all that the program reads from standard input, each line of it as a line, in this block:
<INPUT>
first line
second line
</INPUT>
- One line for each line that is read, in the form in which the program reads it.
- The values alone: no names, no words before them, no remarks.`,

  async judge({ program, printed }, answer, judging) {
    const input = inputIn(withoutThoughts(answer));
    if (input === undefined) return wrong(say('affine.abd.noInput'));
    const [run] = await sandbox.run(program, [input], judging);
    if (run?.outcome !== 'ran') return wrong(say('affine.abd.late'));
    if (run.stderr.trim() !== '') return wrong(say('affine.abd.refused'));
    const isSame = !run.truncated && printsSame(run.stdout, printed);
    return isSame ? { score: 1, reason: say('affine.abd.found') } : wrong(say('affine.abd.otherwise'));
  },
});

/** Find what a program was given, from what it printed. @param sandbox where it runs */
export const abd = (sandbox: Pick<ProgramSandbox, 'run'>): Environment<PrintedBy> => ({
  name: 'abd',
  version: '1',
  levels: ['usual'],
  pose: (random) => random.pick(SORTS)(random),
  ...finding(sandbox),
});

/** Ends of lines, and empty lines at the end, do not count. */
function inputIn(answer: string): string | undefined {
  const block = lastBlock(answer, 'INPUT')?.trim();
  return block
    ?.split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
