import { z } from 'zod';
import { messageSchema } from '../../../src-preload/contract/request.ts';
import type { AskedAnswers } from '../asked.ts';
import { decide } from '../evaluation/gate/gate.ts';
import { measuredAnswersSchema, shownMeasures } from '../evaluation/gate/kept-measures.ts';
import { gateAnswers, type MeasuredAnswers, measureForGate, quickOf } from '../evaluation/gate/measured.ts';
import { passRate } from '../evaluation/measures/compliance.ts';
import { type AnswerPair, measureMargins } from '../evaluation/measures/margin.ts';
import type { Probe } from '../evaluation/probes/probe.ts';
import type { LessonPlan } from './lesson.ts';
import type { Examiner } from './looks.ts';
import { marginPairs } from './margin-pairs.ts';

export interface GateExaminerOptions {
  plan: Pick<LessonPlan, 'lesson' | 'verifier' | 'heldOut' | 'concernsLength' | 'teacher'>;
  asked: AskedAnswers;
  /** Beside the facts: instructions, programs, own ones. */
  probes: readonly Probe[];
  seed: number;
}

/** What was measured; of the model before, with the pairs by which it is compared with what comes of it. */
export interface RunMeasures extends MeasuredAnswers {
  pairs?: readonly AnswerPair[];
}

const pairSchema = z.object({ messages: z.array(messageSchema), positive: z.string(), negative: z.string() });
const runMeasures = measuredAnswersSchema.extend({
  pairs: z.array(pairSchema).optional(),
}) satisfies z.ZodType<RunMeasures>;

/**
 * Looks at a model by the gate: whether what was wanted holds for questions that it did not learn from, and whether it still knows what it knew. Each look measures
 * the margin of the same {@link marginPairs}.
 */
export function gateExaminer({ plan, asked, probes, seed }: GateExaminerOptions): Examiner<RunMeasures> {
  const { verifier, heldOut, teacher: view, concernsLength } = plan;
  const questions = { heldOut, verifier, probes, view, seed };
  return {
    quickOf,
    shown: shownMeasures,
    schema: runMeasures,
    async examine(adapter, how, { signal, before, onAnswer }) {
      const measuring = { asked, adapter, signal };
      const wanted = { ...questions, pairs: before?.pairs };
      const of = gateAnswers(how, wanted);
      let done = 0;
      const found = await measureForGate(how, wanted, { ...measuring, onAnswer: () => onAnswer?.(++done, of) });
      if (before) return found;
      const pairs = await marginPairs(found.compliance, plan, { asked, signal });
      return { ...found, pairs, margins: await measureMargins(pairs, measuring) };
    },
    judge(before, after, form) {
      const { accepted, reason, checks } = decide(before, after, { form, concernsLength });
      const share = passRate(after.passes);
      const gained = checks.some(({ name, passes }) => name === 'compliance' && passes);
      return {
        accepted,
        gained,
        share,
        reasons: [reason, ...checks.map(({ why }) => why).filter((why) => why !== reason)],
      };
    },
  };
}
