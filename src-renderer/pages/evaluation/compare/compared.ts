import type { EvaluationDetails, EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { accuracyOf, lengthsOf, summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';

/** A chart takes no more lines. */
export const MOST_COMPARED = 4;

/** What of two evaluations is not the same; what is true of one is perhaps not of the other by that alone. */
export type Difference = 'model' | 'suites' | 'lengths' | 'samples' | 'seed' | 'ownTexts' | 'twice';

export function differencesOf(some: readonly Pick<EvaluationView, 'model' | 'sha256' | 'plan'>[]): Difference[] {
  const told: Record<Difference, (one: (typeof some)[number]) => unknown> = {
    model: ({ model, sha256, plan }) => [model, sha256, plan.target],
    suites: ({ plan }) => plan.suites.toSorted(),
    lengths: ({ plan }) => plan.lengths.toSorted((a, b) => a - b),
    samples: ({ plan }) => plan.samples,
    seed: ({ plan }) => plan.seed,
    ownTexts: ({ plan }) => plan.ownTexts,
    twice: ({ plan }) => plan.twice === true,
  };
  return (Object.keys(told) as Difference[]).filter(
    (what) => new Set(some.map((one) => JSON.stringify(told[what](one)))).size > 1,
  );
}

/** What all were asked, so that they can be told apart by nothing else: suites and lengths, in the order of the first. */
export function inCommon(some: readonly Pick<EvaluationDetails, 'plan' | 'cells'>[]) {
  const [first] = some;
  const inAll = <T>(of: (one: Pick<EvaluationDetails, 'plan' | 'cells'>) => readonly T[]) =>
    [...new Set(first ? of(first) : [])].filter((value) => some.every((one) => of(one).includes(value)));
  return {
    suites: inAll(({ plan, cells }) => plan.suites.filter((suite) => cells.some((cell) => cell.suite === suite))),
    lengths: inAll(({ cells }) => lengthsOf(cells)),
  };
}

/** How well one was answered in these suites at a length; undefined where it was not. */
export function comparedSum({ cells }: Pick<EvaluationDetails, 'cells'>, suites: readonly string[], length?: number) {
  const sum = summedCells(
    cells.filter((cell) => suites.includes(cell.suite) && (length === undefined || cell.length === length)),
  );
  return { ...sum, accuracy: accuracyOf(sum) };
}
