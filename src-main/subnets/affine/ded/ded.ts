import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { ProgramRun, ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { programIn } from '../../../validation/answer-program.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';
import { type Environment, type Judgement, type Judging, wrong } from '../../../validation/environment.ts';
import { printsSame } from '../programs/output.ts';
import { calling, runnable } from './answer-program.ts';
import { drawTask, type ProgramCase, type ProgramTask } from './tasks.ts';

/** A program that was asked for, wherever the task comes from. */
export interface Wanted {
  text: string;
  /** Known to the validator alone. Of a function, standard input has what it is called with: see {@link calling}. */
  hidden: readonly ProgramCase[];
  /** The function that is called. Default: the program itself reads and prints. */
  calls?: string | undefined;
}

/** Write a program. @param sandbox where it runs */
export const ded = (sandbox: Pick<ProgramSandbox, 'run'>): Environment<ProgramTask> => ({
  name: 'ded',
  version: '1',
  levels: ['usual'],

  pose: (random) => drawTask(random),

  prompt: ({ text, examples }) => `Write a program in Python 3.

${text}

${examples.map(exampleText).join('\n')}
${rules()}`,

  judge: judgeProgram(sandbox),
});

/** What every program is told beside its task. @param calls the function that is wanted. Default: a program that reads and prints */
export function rules(calls?: string): string {
  const form = calls
    ? `- The program defines the function ${calls}, which returns the answer.
- It prints nothing.`
    : `- The program is complete: it reads standard input and prints to standard output.
- It prints the answer and nothing else.`;
  return `Rules:
${form}
- It uses Python's own library only; no files, no network.
- Give it in one block that begins with \`\`\`python.`;
}

/** A program is right if it is in every case: the first one that it fails is the last one it is tried with. @param sandbox where it runs */
export function judgeProgram(sandbox: Pick<ProgramSandbox, 'run'>) {
  return async ({ hidden, calls }: Wanted, answer: string, judging?: Judging): Promise<Judgement> => {
    const program = programIn(withoutThoughts(answer));
    if (program === '') return wrong(say('affine.ded.noProgram'));
    const ran = await sandbox.run(
      calls === undefined ? runnable(program) : calling(program, calls),
      hidden.map(({ stdin }) => stdin),
      { ...judging, isEnough: (run, at) => !passes(run, hidden[at]) },
    );
    const passed = ran.filter((run, at) => passes(run, hidden[at])).length;
    const last = ran.at(-1);
    if (last?.outcome === 'late') return wrong(say('affine.ded.late', { passed, cases: hidden.length }));
    if (last?.outcome === 'died') return wrong(say('affine.ded.died', { reason: last.reason }));
    if (passed === hidden.length) return { score: 1, reason: say('affine.ded.solved', { cases: passed }) };
    return wrong(failedReason(passed, hidden.length));
  };
}

/** Of all cases, those before the first that failed were passed. */
function failedReason(passed: number, cases: number): Saying {
  if (passed === 0) return say('affine.ded.failedFirst', { cases });
  return say('affine.ded.failedAt', { passed, cases, failed: passed + 1 });
}

/** Whatever it says on its standard error is a fault (Affine, DED). */
const passes = (run: ProgramRun, wanted: ProgramCase | undefined) =>
  wanted !== undefined &&
  run.outcome === 'ran' &&
  !run.truncated &&
  run.stderr.trim() === '' &&
  printsSame(run.stdout, wanted.stdout);

const exampleText = ({ stdin, stdout }: ProgramCase, at: number) => `Example ${at + 1}, input:
\`\`\`
${stdin}
\`\`\`
Output:
\`\`\`
${stdout}
\`\`\`
`;
