import type { LearningMeasures, LearningRunDetails } from '../../../../src-preload/contract/learning-runs.ts';

/** The curves of a run: its steps, 0 for what was before them, and a value for each of them; null where it was not measured. */
export interface RunCurves {
  steps: number[];
  loss: (number | null)[];
  compliance: (number | null)[];
  capability: (number | null)[];
  margin: (number | null)[];
  marginSum: (number | null)[];
  entropyRatio: (number | null)[];
  selfRouge: (number | null)[];
  /** How far the probabilities have moved, whichever way: nats a token. */
  drift: (number | null)[];
}

export function curvesOf({ curve }: Pick<LearningRunDetails, 'curve'>): RunCurves {
  const of = (name: keyof LearningMeasures | 'loss') => curve.map((measured) => measured[name] ?? null);
  return {
    steps: curve.map(({ step }) => step),
    loss: of('loss'),
    compliance: of('compliance'),
    capability: of('capability'),
    margin: of('margin'),
    marginSum: of('marginSum'),
    entropyRatio: of('entropyRatio'),
    selfRouge: of('selfRouge'),
    drift: of('drift').map((value) => value && Math.abs(value)),
  };
}
