import { z } from 'zod';
import { errorSchema } from '../../../src-preload/contract/error-schema.ts';
import { FEEDBACK_STATES } from '../../../src-preload/contract/learning.ts';
import {
  type LearningMeasures,
  type LearningRunDetails,
  type LearningRunView,
  type LearningStepView,
  OBJECTIVES,
  RUN_STATES,
} from '../../../src-preload/contract/learning-runs.ts';
import { type Saying, told } from '../../../src-preload/contract/saying.ts';
import { type Sentence, sayingSchema } from '../../../src-preload/contract/saying-schema.ts';
import type { LearningStep } from '../../store/learning-run-store.ts';
import type { FeedbackRow, RunRow } from '../../store/learning-runs.ts';
import { type MeasuredAnswers, quickOf } from '../evaluation/gate/measured.ts';
import { shareRight } from '../evaluation/measures/capability.ts';
import { collapseAlarms } from '../evaluation/measures/collapse.ts';
import { passRate } from '../evaluation/measures/compliance.ts';
import { marginOf } from '../evaluation/measures/margin.ts';
import type { RunVerdict } from './learning-run.ts';

/** What of a run's settings is shown; what an older version wrote may lack the rest. */
const shownSettings = z.object({ steps: z.int().optional() });
const stateSchema = z.enum(RUN_STATES);
const feedbackState = z.enum(FEEDBACK_STATES);
const objectiveSchema = z.enum(OBJECTIVES).nullable();

type Verdict = RunVerdict<MeasuredAnswers>;

/** What is kept by {@link LearningRun}, as it wrote it. */
interface StepFigures {
  loss?: number;
  gradNorm?: number;
  seconds?: number;
  quick?: MeasuredAnswers;
  full?: MeasuredAnswers;
  computes?: Saying;
}

export function sentenceOf(words: Saying): Sentence {
  return told({ text: words });
}

/** A run, as people look at it. */
export function runView(row: RunRow, feedback: readonly FeedbackRow[]): LearningRunView {
  const verdict = verdictOf(row);
  return {
    ...{ id: row.id, name: row.name, parent: row.parent, version: row.version, step: row.step },
    ...{ createdAt: row.created_at, startedAt: row.started_at, endedAt: row.ended_at },
    ...{ seconds: row.seconds, wattHours: row.watt_hours },
    state: stateSchema.parse(row.state),
    objective: objectiveSchema.parse(row.objective),
    why: row.why === null ? null : sentenceOf(sayingSchema.parse(JSON.parse(row.why))),
    steps: shownSettings.parse(JSON.parse(row.settings)).steps ?? row.step,
    feedback: feedback.map(({ id, kind, text, state }) => ({ id, kind, text, state: feedbackState.parse(state) })),
    reasons: verdict?.reasons.map(sentenceOf) ?? [],
    error: row.error === null ? null : errorSchema.parse(JSON.parse(row.error)),
  };
}

/** The same with all that it found. */
export function runDetails(
  row: RunRow,
  feedback: readonly FeedbackRow[],
  steps: readonly LearningStep[],
): LearningRunDetails {
  const verdict = verdictOf(row);
  const before = verdict?.before;
  const known = steps
    .filter(({ step }) => row.ended_at === null || step <= row.step)
    .map(({ step, figures }) => ({ step, figures: JSON.parse(figures) as StepFigures }));
  const computed = known.findLast(({ figures }) => figures.computes)?.figures.computes;
  return {
    ...runView(row, feedback),
    curve: [
      ...(before ? [stepView(0, { quick: quickOf(before), full: before }, before)] : []),
      ...known.map(({ step, figures }) => stepView(step, figures, before)),
    ],
    computed: computed ? sentenceOf(computed) : null,
    before: before ? measuresOf(before, before) : null,
    after: verdict?.after ? measuresOf(verdict.after, before) : null,
    shown: verdict?.shown ?? null,
  };
}

export function verdictOf({ verdict }: RunRow): Verdict | undefined {
  return verdict === null ? undefined : (JSON.parse(verdict) as Verdict); // written by this program
}

function stepView(step: number, figures: StepFigures, before: MeasuredAnswers | undefined): LearningStepView {
  const { loss, gradNorm, seconds, quick, full } = figures;
  return { step, loss, gradNorm, seconds, ...curveOf({ quick, full }, before) };
}

/** Of quick looks all along what those measure, since the two have other questions; the rest of full ones. */
function curveOf({ quick, full }: Pick<StepFigures, 'quick' | 'full'>, before: MeasuredAnswers | undefined) {
  return { ...(full && measuresOf(full, before)), ...(quick && measuresOf(quick, before)) };
}

export function measuresOf(measured: MeasuredAnswers, before?: MeasuredAnswers): LearningMeasures {
  const { passes, capability, collapse, margins = [] } = measured;
  const margin = marginOf(margins);
  const alarms = collapse && collapseAlarms(before?.collapse ?? collapse, collapse);
  return {
    compliance: passRate(passes),
    capability: shareRight(capability, 'fact: '),
    ...(margin && { margin: margin.perToken, marginSum: margin.sum }),
    ...(collapse &&
      alarms && { entropyRatio: alarms.entropyRatio, selfRouge: collapse.selfRouge, drift: alarms.drift }),
  };
}
