import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import type { ProgramRun, ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { programIn } from '../../../validation/answer-program.ts';
import { withoutThoughts } from '../../../validation/answer-text.ts';
import { type Judgement, type Judging, wrong } from '../../../validation/environment.ts';
import { BANDS } from './bands.ts';
import type { CodeTask } from './code-task.ts';
import { caseInput, judgedProgram, outcomeOf } from './program-run.ts';
import { sameJson } from './same-json.ts';

type Sandbox = Pick<ProgramSandbox, 'run'>;

/** Reads all that a case has, and says what it is told to: whoever has no room for this has none for any program. */
const CONTROL = `def control(files, parameters):
    return sum(len(text) for text in files.values())
`;

/**
 * The share of cases in which a program returns what is expected; nothing if the code base that was shown is the only one: whoever knows its answers need not know how they are found.
 * Behind a case that takes too long, or in which the program dies, no other is tried.
 * @throws what keeps the sandbox from running programs; ENGINE_UNAVAILABLE where it does not run ours either; the signal's reason
 */
export async function judgeCode(
  sandbox: Sandbox,
  { entry, band, cases }: CodeTask,
  answer: string,
  judging: Judging = {},
): Promise<Judgement> {
  const program = programIn(withoutThoughts(answer));
  if (program === '') return wrong(say('quasar.code.noProgram'));
  const { time } = BANDS[band];
  const inputs = cases.map(caseInput);
  const run = () =>
    sandbox.run(judgedProgram(program, entry), inputs, { ...judging, time, isEnough: (ran) => isForAll(ran) });
  const runs = await run();
  const isDead = ({ outcome }: ProgramRun) => outcome === 'died';
  if (!runs.some(isDead)) return judged(runs, { entry, cases });
  const again = await run(); // the machine may have been short of memory
  const control = again.some(isDead) ? inputs.at(again.findIndex(isDead)) : undefined;
  if (control !== undefined) await checkSandbox(sandbox, control, judging);
  return judged(again, { entry, cases });
}

const isForAll = (run: ProgramRun) => {
  const outcome = outcomeOf(run);
  return 'why' in outcome && outcome.isForAll;
};

/** A program that has died twice is at fault if one of ours lives. @throws ENGINE_UNAVAILABLE where it does not */
async function checkSandbox(sandbox: Sandbox, input: string, judging: Judging): Promise<void> {
  const [run] = await sandbox.run(judgedProgram(CONTROL, 'control'), [input], judging);
  if (run?.outcome === 'ran' && 'value' in outcomeOf(run)) return;
  throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('quasar.code.noSandbox') });
}

/** @param runs of the first cases; of those behind, none */
function judged(runs: readonly ProgramRun[], { entry, cases }: Pick<CodeTask, 'entry' | 'cases'>): Judgement {
  const faults = cases.map(({ expected }, at): Saying | undefined => {
    const outcome = outcomeOf(runs[at] ?? { outcome: 'late' });
    if ('why' in outcome) return outcome.why;
    return sameJson(expected, outcome.value) ? undefined : say('quasar.code.otherValue', { number: String(at + 1) });
  });
  const passed = faults.filter((fault) => fault === undefined).length;
  const why = faults.find((fault) => fault !== undefined);
  if (why === undefined) return { score: 1, reason: say('quasar.code.solved', { cases: cases.length }) };
  const of = { passed, cases: cases.length, why };
  if (passed === 0) return wrong(say('quasar.code.none', { entry, ...of }));
  if (passed === 1 && faults[0] === undefined) return wrong(say('quasar.code.shownOnly', of));
  return { score: passed / cases.length, reason: say('quasar.code.some', of) };
}
