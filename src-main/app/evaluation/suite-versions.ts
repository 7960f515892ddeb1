import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { SUITES } from '../../subnets/quasar/evaluation/suites.ts';
import type { KeptPlan } from './evaluation-views.ts';

/** Of the suites that are made here, by name: of the others, files say it. */
export const MADE_VERSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  [...SUITES.values()].flatMap(({ name, version }) => (version === null ? [] : [[name, version]])),
);

/** The first suite of which other questions were asked than would be now; undefined where there is none. */
export function otherSuite({ versions: were = {} }: KeptPlan, are: Readonly<Record<string, string>>) {
  return Object.keys(were).find((name) => are[name] !== undefined && are[name] !== were[name]);
}

/** Answers to two sets of questions would be one figure. @param are of the suites as they would be asked now @throws BAD_REQUEST */
export function checkVersions(plan: KeptPlan, are: Readonly<Record<string, string>>): void {
  const suite = otherSuite(plan, are);
  if (suite === undefined) return;
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: say('evaluations.otherQuestions', { suite }),
    hint: say('evaluations.beginAnew'),
    field: 'suites',
  });
}
