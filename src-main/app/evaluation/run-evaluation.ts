import type { EvaluationRow, EvaluationStore } from '../../store/evaluations.ts';
import { askAll } from '../../subnets/quasar/evaluation/evaluation-run.ts';
import { openSuites } from '../../subnets/quasar/evaluation/suites.ts';
import { ownTexts } from '../../subnets/quasar/tasks/published/own-texts.ts';
import { textsOf } from './askable-suites.ts';
import { lengthProblems } from './evaluation-fit.ts';
import { planOf } from './evaluation-views.ts';
import type { ExamineeDoor } from './examinees/opened-examinee.ts';
import { otherModel } from './examinees/other-model.ts';
import { checkVersions } from './suite-versions.ts';

export interface RunNeeds extends Pick<ExamineeDoor, 'openExaminee'> {
  store: EvaluationStore;
  /** Where files of data sets are, absolute. */
  folder: string;
  /** How long it has taken so far, with what it took before it was stopped. */
  seconds: () => number;
  /** Told after each answer. */
  onAnswer: () => void;
  /** Unix milliseconds. */
  now: () => number;
  signal: AbortSignal;
}

/**
 * Asks an evaluation's questions from where it stands to its end. What is known only once suites and model are there is kept with it.
 * @throws BAD_REQUEST where it was begun with another model or other questions; CONTEXT_TOO_LONG where no length fits; what keeps it from asking; the signal's reason
 */
export async function runEvaluation({ id, plan: kept, done, ...was }: EvaluationRow, needs: RunNeeds): Promise<void> {
  const { store, folder, seconds, onAnswer, now, signal } = needs;
  const plan = planOf(kept);
  const suites = await openSuites(plan.suites, plan.ownTexts ? ownTexts() : folder, signal);
  const versions = Object.fromEntries([...suites].map(([name, { version }]) => [name, version]));
  checkVersions(plan, versions);
  await using examinee = await needs.openExaminee(plan.target, signal);
  const { model, sha256, isBuiltIn } = examinee;
  if (was.model !== null && (was.sha256 !== sha256 || was.model !== model)) throw otherModel(was.model, model);
  await store.set(id, { model, sha256, plan: JSON.stringify({ ...plan, versions, isBuiltIn }) });
  const tooLong = await lengthProblems(plan.lengths, examinee);
  const [first] = tooLong.values();
  if (first && plan.lengths.every((length) => tooLong.has(length))) throw first;
  await askAll({
    ...{ id, plan, suites, examinee, done, tooLong, store, onAnswer, now, signal },
    texts: textsOf(plan),
    onText: (done) => store.set(id, { done, seconds: seconds() }),
  });
}
