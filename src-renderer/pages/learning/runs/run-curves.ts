import type { LearningMeasures, LearningRunDetails } from '../../../../src-preload/contract/learning-runs.ts';

/** The curves of a run: its steps, 0 for what was before them, and a value for each of them; null where it was not measured. */
export interface RunCurves {
  steps: number[];
  loss: (number | null)[];
  compliance: (number | null)[];
  capability: (number | null)[];
  entropyRatio: (number | null)[];
  selfRouge: (number | null)[];
  /** How far the probabilities have moved, whichever way: nats a token. */
  drift: (number | null)[];
}

/** @param run what was measured before it stands at step 0 */
export function curvesOf({ before, curve }: Pick<LearningRunDetails, 'before' | 'curve'>): RunCurves {
  const first: LearningMeasures & { step: number; loss?: number | undefined } = { step: 0, ...before };
  const all = before ? [first, ...curve] : curve;
  const of = (name: keyof LearningMeasures | 'loss') => all.map((measured) => measured[name] ?? null);
  return {
    steps: all.map(({ step }) => step),
    loss: of('loss'),
    compliance: of('compliance'),
    capability: of('capability'),
    entropyRatio: of('entropyRatio'),
    selfRouge: of('selfRouge'),
    drift: of('drift').map((value) => value && Math.abs(value)),
  };
}
