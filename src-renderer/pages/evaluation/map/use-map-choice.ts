import { create } from 'zustand';
import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { kindsOf, suitesOf } from './map-cells.ts';

interface Wanted {
  suite: string | undefined;
  kind: string | null;
}

/** Which map somebody wants to see, of whichever evaluation. */
const useWanted = create<Wanted>(() => ({ suite: undefined, kind: null }));

/** Which map is shown, and which there are. */
export function useMapChoice({ cells, plan }: Pick<EvaluationDetails, 'cells' | 'plan'>) {
  const wanted = useWanted();
  const suites = suitesOf(cells, plan.suites, true);
  const suite = suites.find((name) => name === wanted.suite) ?? suites[0];
  const kinds = suite === undefined ? [] : kindsOf(cells, suite);
  const kind = kinds.find((name) => name === wanted.kind) ?? null;
  return { suites, suite, kinds, kind, choose: (next: Wanted) => useWanted.setState(next) };
}
