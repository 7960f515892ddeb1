import { z } from 'zod';
import type { ErrorView } from '../../../src-preload/contract/error-schema.ts';
import { FEEDBACK_STATES } from '../../../src-preload/contract/learning.ts';
import {
  type LearningMeasures,
  type LearningRunDetails,
  type LearningRunView,
  type LearningStepView,
  OBJECTIVES,
  RUN_STATES,
} from '../../../src-preload/contract/learning-runs.ts';
import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { type Sentence, sayingSchema } from '../../../src-preload/contract/saying-schema.ts';
import { keptError, keptJson } from '../../base/kept-json.ts';
import type { LearningStep, ListedRun } from '../../store/learning/learning-run-store.ts';
import type { FeedbackRow, RunRow } from '../../store/learning/learning-runs.ts';
import { type ShownMeasures, shownMeasuresSchema } from '../evaluation/gate/kept-measures.ts';
import { type MeasuredAnswers, quickFigures } from '../evaluation/gate/measured.ts';
import { shareOfFacts } from '../evaluation/measures/capability.ts';
import { collapseAlarms } from '../evaluation/measures/collapse.ts';
import { passRate } from '../evaluation/measures/compliance.ts';
import { marginOf } from '../evaluation/measures/margin.ts';
import { figuresSchema } from '../training/training-messages.ts';

type Measured = Pick<MeasuredAnswers, 'passes' | 'capability' | 'collapse' | 'margins'>;
/** For a verdict that is there and cannot be read. */
const DAMAGED: ShownVerdict = { reasons: [say('learning.damagedRun')] };

/** What of a run's settings is shown; what an older version wrote may lack the rest. */
const shownSettings = z.object({ steps: z.int().optional() });
const stateSchema = z.enum(RUN_STATES);
/** No run takes what is in no state that there is. */
const feedbackState = z.enum(FEEDBACK_STATES).catch('aside');
const objectiveSchema = z.enum(OBJECTIVES).nullable();
const reasonsSchema = z.array(sayingSchema);

/** What is shown of a verdict; what an older version wrote has the answers, too. */
const verdictSchema = z.object({
  reasons: reasonsSchema,
  ...{ before: shownMeasuresSchema.optional(), after: shownMeasuresSchema.optional() },
  shown: z.object({ prompt: z.string(), before: z.string(), after: z.string() }).optional(),
});
export type ShownVerdict = z.infer<typeof verdictSchema>;

/** What is kept of a step by {@link LearningRun} and its looks, as far as anybody is told of it. */
const keptStepSchema = figuresSchema.partial().extend({
  savingMs: z.number().optional(),
  ...{ quick: shownMeasuresSchema.optional(), full: shownMeasuresSchema.optional() },
  /** Of the look in full, where there was one. */
  reasons: reasonsSchema.optional(),
  computes: sayingSchema.optional(),
});
export type KeptStep = z.infer<typeof keptStepSchema>;

export function sentenceOf(words: Saying): Sentence {
  return told({ text: words });
}

/** A run, as people look at it. */
export function runView(row: ListedRun, feedback: readonly FeedbackRow[]): LearningRunView {
  return viewOf(row, row.reasons === null ? [] : (keptJson(row.reasons, reasonsSchema) ?? DAMAGED.reasons), feedback);
}

/** The same with all that it found. */
export function runDetails(
  row: RunRow,
  feedback: readonly FeedbackRow[],
  steps: readonly LearningStep[],
): LearningRunDetails {
  const { reasons, after, shown, ...verdict } = verdictOf(row);
  const [first] = steps;
  const before = verdict.before ?? (first?.step === 0 ? keptStep(first).full : undefined);
  const known = steps
    .filter(({ step }) => step > 0)
    .filter(({ step }) => row.ended_at === null || step <= row.step)
    .map((kept) => ({ step: kept.step, figures: keptStep(kept) }));
  const computed = known.findLast(({ figures }) => figures.computes)?.figures.computes;
  return {
    ...viewOf(row, reasons, feedback),
    curve: [
      ...(before ? [stepView(0, { quick: quickFigures(before), full: before }, before)] : []),
      ...known.map(({ step, figures }) => stepView(step, figures, before)),
    ],
    computed: computed ? sentenceOf(computed) : null,
    before: before ? measuresOf(before, before) : null,
    after: after ? measuresOf(after, before) : null,
    shown: shown ?? null,
  };
}

function viewOf(
  row: Omit<RunRow, 'verdict'>,
  reasons: readonly Saying[],
  feedback: readonly FeedbackRow[],
): LearningRunView {
  return {
    ...{ id: row.id, name: row.name, parent: row.parent, version: row.version, step: row.step },
    ...{ createdAt: row.created_at, startedAt: row.started_at, endedAt: row.ended_at },
    ...{ seconds: row.seconds, wattHours: row.watt_hours },
    state: stateSchema.catch(row.ended_at === null ? 'queued' : 'failed').parse(row.state),
    objective: objectiveSchema.catch(null).parse(row.objective),
    why: said(row.why),
    steps: keptJson(row.settings, shownSettings)?.steps ?? row.step,
    feedback: feedback.map(({ id, kind, text, state }) => ({ id, kind, text, state: feedbackState.parse(state) })),
    reasons: reasons.map(sentenceOf),
    error: row.error === null ? null : runError(row.error),
  };
}

/** What a run found, as it is kept; where that cannot be read any more, it says so. */
export function verdictOf({ verdict }: Pick<RunRow, 'verdict'>): ShownVerdict {
  return verdict === null ? { reasons: [] } : (keptJson(verdict, verdictSchema) ?? DAMAGED);
}

/** What a run failed with. @param kept JSON */
export function runError(kept: string): ErrorView {
  return keptError(kept, say('learning.damagedRun'));
}

export function keptStep({ figures }: Pick<LearningStep, 'figures'>): KeptStep {
  return keptJson(figures, keptStepSchema) ?? {};
}

function said(kept: string | null): Sentence | null {
  const words = kept === null ? undefined : keptJson(kept, sayingSchema);
  return words ? sentenceOf(words) : null;
}

function stepView(step: number, figures: KeptStep, before: ShownMeasures | undefined): LearningStepView {
  const { loss, gradNorm, seconds, quick, full, reasons = [] } = figures;
  const found = full && step > 0 && { ...measuresOf(full, before), reasons: reasons.map(sentenceOf) };
  return { step, loss, gradNorm, seconds, ...curveOf({ quick, full }, before), ...(found && { full: shortOf(found) }) };
}

type FoundMeasures = LearningMeasures & Required<Pick<LearningMeasures, 'compliance' | 'capability'>>;

const shortOf = ({ compliance, capability, reasons }: NonNullable<LearningStepView['full']>) => ({
  ...{ compliance, capability, reasons },
});

/** Of quick looks all along what those measure, since the two have other questions; the rest of full ones. */
function curveOf({ quick, full }: Pick<KeptStep, 'quick' | 'full'>, before: ShownMeasures | undefined) {
  return { ...(full && measuresOf(full, before)), ...(quick && measuresOf(quick, before)) };
}

export function measuresOf(measured: Measured, before?: Pick<Measured, 'collapse'>): FoundMeasures {
  const { passes, capability, collapse, margins = [] } = measured;
  const margin = marginOf(margins);
  const alarms = collapse && before?.collapse && collapseAlarms(before.collapse, collapse);
  return {
    compliance: passRate(passes),
    capability: shareOfFacts(capability),
    ...(margin && { margin: margin.perToken, marginSum: margin.sum }),
    ...(collapse && { selfRouge: collapse.selfRouge }),
    ...(alarms && { entropyRatio: alarms.entropyRatio, drift: alarms.drift }),
  };
}
