import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationFit, EvaluationWish } from '../../../src-preload/contract/evaluation.ts';
import { errorView } from '../../base/error-view.ts';
import { suitesCalled } from '../../subnets/quasar/evaluation/suites.ts';
import { checkAskable } from './askable-suites.ts';
import type { ExamineeDoor, OpenedExaminee } from './examinees/opened-examinee.ts';
import { lengthProblem } from './length-fit.ts';
import { tooShort } from './too-short.ts';

export interface FitNeeds extends ExamineeDoor {
  /** Where files of data sets are, absolute. */
  folder: string;
}

/**
 * Which of the lengths fit, before anything is asked: whoever would answer is opened for it.
 * @throws BAD_REQUEST for what cannot be asked, or where a file is missing; what opening throws; the signal's reason
 */
export async function evaluationFit(
  { named, openExaminee, folder }: FitNeeds,
  wish: EvaluationWish,
  signal = new AbortController().signal,
): Promise<EvaluationFit> {
  await checkAskable(wish, folder);
  await using examinee = await openExaminee(named(wish.target), signal);
  const { model, room } = examinee;
  const lengths = [...new Set(wish.lengths)].toSorted((one, other) => one - other);
  const tooLong = await lengthProblems(lengths, examinee);
  const fitting = lengths.filter((length) => !tooLong.has(length));
  const short = await tooShort(suitesCalled(wish.suites), fitting, examinee.count, signal);
  const problemOf = (length: number) => viewOf(tooLong.get(length) ?? short.lengths.get(length));
  return {
    ...{ model, room },
    lengths: lengths.map((length) => ({ length, problem: problemOf(length) })),
    tooShort: short.suites.map(({ suite, error }) => ({ suite, problem: errorView(error) })),
  };
}

/** Those of the lengths that whoever is asked has no room for, and why. */
export async function lengthProblems(
  lengths: readonly number[],
  { own, ...examinee }: OpenedExaminee,
): Promise<Map<number, QuarryError>> {
  const problems = new Map<number, QuarryError>();
  for (const length of lengths) {
    const problem = await lengthProblem(length, examinee, own);
    if (problem) problems.set(length, problem);
  }
  return problems;
}

const viewOf = (problem: QuarryError | undefined) => (problem ? errorView(problem) : null);
