import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationRequest, SuiteView } from '../../../src-preload/contract/evaluation.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type EvaluationPlan, type PlannedText, plannedTexts } from '../../subnets/quasar/evaluation/plan.ts';
import { checkPublished, SUITES, suitesCalled } from '../../subnets/quasar/evaluation/suites.ts';

/** The kinds of questions that there are. */
export function suiteViews(): SuiteView[] {
  return [...SUITES.values()].map(({ name, version, variants, isMade }) => ({
    name,
    version,
    variants: [...variants],
    isMade,
  }));
}

/** A file that is missing is said before anything is loaded. @param folder where files of data sets are @throws BAD_REQUEST */
export async function checkAskable(
  { suites, ownTexts }: Pick<EvaluationRequest, 'suites' | 'ownTexts'>,
  folder: string,
): Promise<void> {
  const called = suitesCalled(suites);
  for (const suite of called) variantsOf(suite);
  if (!ownTexts) await checkPublished(called, folder);
}

/** What a plan asks about, in the order of asking. @throws BAD_REQUEST for a suite that there is not */
export function textsOf(plan: EvaluationPlan): PlannedText[] {
  return plannedTexts(plan, variantsOf);
}

function variantsOf(suite: string): readonly string[] {
  const found = SUITES.get(suite);
  if (found) return found.variants;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('evaluations.noSuite', { suite }),
    hint: say('evaluations.suites', { names: [...SUITES.keys()] }),
    field: 'suites',
  });
}
