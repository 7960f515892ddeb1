import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import type { Environment } from '../../../validation/environment.ts';
import { BAND_NAMES, type BandName } from './bands.ts';
import { type CodeTask, drawTask } from './code-task.ts';
import { judgeCode } from './judge-code.ts';

/**
 * A long code base, and a program that answers a question about it and others like it (QUASAR, LongCode: quasar-omega, A11). Levels are lengths.
 * @param sandbox where programs run
 */
export const codeEnvironment = (sandbox: Pick<ProgramSandbox, 'run'>): Environment<CodeTask> => ({
  name: 'quasar-code',
  version: '1',
  levels: BAND_NAMES,
  pose: (random, level) => drawTask(random, level as BandName),
  prompt: ({ context, question }) => `${context}\n${question}`,
  ask: ({ context, question }) => ({ kind: 'longText', text: { dataset: 'code', context, question } }),
  judge: (task, answer, judging) => judgeCode(sandbox, task, answer, judging),
});
