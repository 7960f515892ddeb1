import type { AskedAnswers } from '../asked.ts';
import { decide } from '../evaluation/gate/gate.ts';
import { type MeasuredAnswers, measureForGate, quickOf } from '../evaluation/gate/measured.ts';
import { passRate } from '../evaluation/measures/compliance.ts';
import type { Probe } from '../evaluation/probes/probe.ts';
import type { Examiner } from './learning-run.ts';
import type { LessonPlan } from './lesson.ts';

export interface GateExaminerOptions {
  plan: Pick<LessonPlan, 'verifier' | 'heldOut' | 'concernsLength' | 'teacher'>;
  asked: AskedAnswers;
  /** Beside the facts: instructions, programs, own ones. */
  probes: readonly Probe[];
  seed: number;
}

/** Looks at a model by the gate: whether what was wanted holds for questions that it did not learn from, and whether it still knows what it knew. */
export function gateExaminer({ plan, asked, probes, seed }: GateExaminerOptions): Examiner<MeasuredAnswers> {
  const { verifier, heldOut, teacher: view, concernsLength } = plan;
  const questions = { heldOut, verifier, probes, view, seed };
  return {
    quickOf,
    examine: (adapter, how, signal) => measureForGate(how, questions, { asked, adapter, signal }),
    judge(before, after, form) {
      const { accepted, reason, checks } = decide(before, after, { form, concernsLength });
      const share = passRate(after.passes);
      return { accepted, share, reasons: [reason, ...checks.map(({ why }) => why).filter((why) => why !== reason)] };
    },
  };
}
