import type { EvalRecord, StepRecord } from '../harness/records.ts';
import { LEAST_ENTROPY_RATIO, MOST_DRIFT, MOST_SELF_ROUGE } from '../measures/collapse.ts';

/** A line of a panel: at which step, how much. The baseline is at −1. */
export interface Curve {
  name: string;
  points: readonly (readonly [step: number, value: number])[];
}

export interface Panel {
  title: string;
  /** What is on its upright axis. */
  unit: string;
  /** Default: what the curves take. */
  range?: readonly [number, number];
  curves: readonly Curve[];
  /** Values that are drawn across as borders. */
  borders?: readonly number[];
}

/** A picture of one or more panels, one above the other. */
export interface Plot {
  /** Name of its files, without ending. */
  name: string;
  title: string;
  panels: readonly Panel[];
}

/** The original's five plots of one preference (B6). Curves of what was not measured are left out, and so are plots without curves. */
export function plotsOf(preference: string, baseline: EvalRecord, steps: readonly StepRecord[]): Plot[] {
  const after = steps.map(({ step, eval: measured }) => [step, measured] as const);
  const curve = (name: string, read: (measured: EvalRecord) => number | null | undefined): Curve => ({
    name,
    points: pointsOf([[-1, baseline], ...after], read),
  });
  const learnt = (
    name: string,
    read: (figures: NonNullable<StepRecord['sdpo_metrics']>) => number | null | undefined,
  ): Curve => ({
    name,
    points: pointsOf(
      steps.map(({ step, sdpo_metrics: figures }) => [step, figures] as const),
      (figures) => figures && read(figures),
    ),
  });
  const all: Plot[] = [
    {
      name: 'logprob_margins',
      title: `${preference}: log-probability margin`,
      panels: [
        { title: 'Sum', unit: 'nats', curves: [curve('margin', ({ logprob_margin: m }) => m?.margin)] },
        {
          title: 'Per token',
          unit: 'nats / token',
          curves: [curve('margin per token', ({ logprob_margin: m }) => m?.margin_per_token)],
        },
      ],
    },
    {
      name: 'learning_curves',
      title: `${preference}: held-out compliance`,
      panels: [
        {
          title: '',
          unit: 'compliance',
          range: [-0.05, 1.05],
          curves: [curve('compliance', ({ preference_compliance: c }) => c)],
        },
      ],
    },
    {
      name: 'collapse_dashboard',
      title: `${preference}: collapse`,
      panels: [
        {
          title: 'Entropy ÷ baseline',
          unit: 'ratio',
          range: [0, 1.5],
          borders: [LEAST_ENTROPY_RATIO],
          curves: [curve('entropy ratio', ({ collapse: c }) => c?.entropy_ratio_to_baseline)],
        },
        {
          title: 'Self-ROUGE-L',
          unit: 'F1',
          range: [0, 1],
          borders: [MOST_SELF_ROUGE],
          curves: [curve('self-ROUGE-L', ({ collapse: c }) => c?.self_rouge_l)],
        },
        {
          title: 'Drift of mean log-probability',
          range: [-3, 3],
          unit: 'nats',
          borders: [-MOST_DRIFT, MOST_DRIFT],
          curves: [curve('drift', ({ collapse: c }) => c?.mean_logprob_drift)],
        },
      ],
    },
    {
      name: 'forgetting',
      title: `${preference}: what it still can`,
      panels: [
        {
          title: '',
          unit: 'share right',
          range: [-0.05, 1.05],
          curves: [
            curve('general', ({ general: g }) => g?.general_score),
            curve('facts', ({ general: g }) => g?.facts),
          ],
        },
      ],
    },
    {
      name: 'sdpo_diagnostics',
      title: `${preference}: learning`,
      panels: [
        {
          title: 'Loss',
          unit: 'nats',
          curves: [learnt('distillation loss', (f) => f.distill_loss), learnt('KL regulariser', (f) => f.kl_reg)],
        },
        { title: 'Gradient', unit: 'norm', curves: [learnt('gradient norm', (f) => f.grad_norm)] },
      ],
    },
  ];
  return all.map(withCurves).filter(({ panels }) => panels.length > 0);
}

function pointsOf<Of>(
  all: readonly (readonly [number, Of])[],
  read: (of: Of) => number | null | undefined,
): [number, number][] {
  return all.flatMap(([step, of]) => {
    const value = read(of);
    return value === null || value === undefined || !Number.isFinite(value) ? [] : [[step, value] as [number, number]];
  });
}

function withCurves(plot: Plot): Plot {
  const panels = plot.panels
    .map((panel) => ({ ...panel, curves: panel.curves.filter(({ points }) => points.length > 0) }))
    .filter(({ curves }) => curves.length > 0);
  return { ...plot, panels };
}
