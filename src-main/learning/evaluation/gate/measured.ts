import type { ChatMessage } from '../../../../src-preload/contract/request.ts';
import { type Measuring, mean } from '../measures/answers.ts';
import { measureCapability } from '../measures/capability.ts';
import { COLLAPSE_ANSWERS, measureCollapse } from '../measures/collapse.ts';
import { type Compliance, measureCompliance } from '../measures/compliance.ts';
import { type AnswerPair, type Margin, measureMargins } from '../measures/margin.ts';
import { measureSoundness, soundnessOf } from '../measures/soundness.ts';
import { FACT_PROBES, QUICK_FACTS } from '../probes/facts.ts';
import type { Probe } from '../probes/probe.ts';
import type { Verifier } from '../verifiers/verifier.ts';
import type { GateForm, Measured } from './gate.ts';

/** What a gate looks at. */
export interface GateQuestions {
  /** Held out, the best first for a quick look: none that anything was learnt from. */
  heldOut: readonly (readonly ChatMessage[])[];
  verifier: Verifier;
  /** Probes beside the facts: instructions, programs, own ones. In full only. */
  probes?: readonly Probe[];
  /** Of which it is measured how much likelier the wanted answers are; in a quick look of the first. Default: none. */
  pairs?: readonly AnswerPair[] | undefined;
  /** How the model without adapter is asked when it says how plausible an answer is: with the feedback, so that what it wants is not held against it. */
  view?: (messages: readonly ChatMessage[]) => readonly ChatMessage[];
  /** Most tokens of a held-out answer. Default 64. */
  answerTokens?: number;
  /** Of the samples. Default 0. */
  seed?: number;
}

export const QUICK_QUESTIONS = 5;
export const FULL_QUESTIONS = 20;
const ANSWER_TOKENS = 64;
/** Answers that the model without adapter looks at. */
const QUICK_SCORED = 3;
const FULL_SCORED = 8;
/** A pair takes 7 % of a quick look (SmolLM2-135M, one thread). */
const QUICK_PAIRS = 1;

/** What was measured, with the answers, to be shown. */
export interface MeasuredAnswers extends Measured {
  compliance: Compliance;
  /** Of each pair; nothing is decided by them. */
  margins?: readonly Margin[] | undefined;
}

/** Measures what {@link decide} decides by: some 300 tokens for a quick look, some 1,800 in full. */
export async function measureForGate(
  form: GateForm,
  questions: GateQuestions,
  measuring: Measuring,
): Promise<MeasuredAnswers> {
  const { verifier, answerTokens: maxTokens = ANSWER_TOKENS, view, seed = 0 } = questions;
  const compliance = await measureCompliance(heldOutOf(form, questions), verifier, { maxTokens }, measuring);
  const { asked, signal } = measuring;
  const scored = form === 'quick' ? QUICK_SCORED : FULL_SCORED;
  return {
    compliance,
    passes: compliance.passes,
    answers: await measureSoundness(compliance.answers, { asked, view, scored, signal }),
    capability: await measureCapability(probesOf(form, questions), measuring),
    margins: await measureMargins(pairsOf(form, questions), measuring),
    ...(form === 'full' && { collapse: await measureCollapse(measuring, seed) }),
  };
}

/** What a quick look would have found where all was looked at: the first of its questions and facts. */
export function quickOf(measured: MeasuredAnswers): MeasuredAnswers {
  const { compliance, answers } = measured;
  const figures = quickFigures(measured);
  const scores = compliance.scores.slice(0, QUICK_QUESTIONS);
  const first = compliance.answers.slice(0, QUICK_QUESTIONS);
  const { plausibility } = answers;
  return {
    ...figures,
    compliance: { scores, passes: figures.passes, mean: mean(scores), answers: first },
    answers: { ...soundnessOf(first), ...(plausibility !== undefined && { plausibility }) },
  };
}

/** The same of the figures alone. */
export function quickFigures({
  passes,
  capability,
  margins = [],
}: Pick<MeasuredAnswers, 'passes' | 'capability' | 'margins'>) {
  const facts = FACT_PROBES.slice(0, QUICK_FACTS).flatMap(({ id }) => {
    const score = capability[id];
    return score === undefined ? [] : [[id, score] as const];
  });
  return {
    passes: passes.slice(0, QUICK_QUESTIONS),
    capability: Object.fromEntries(facts),
    margins: margins.slice(0, QUICK_PAIRS),
  };
}

/** How often {@link measureForGate} tells that it has an answer: for whoever shows how far it is. */
export function gateAnswers(form: GateForm, questions: GateQuestions): number {
  const samples = form === 'full' ? COLLAPSE_ANSWERS : 0;
  return (
    heldOutOf(form, questions).length + probesOf(form, questions).length + pairsOf(form, questions).length + samples
  );
}

function heldOutOf(form: GateForm, { heldOut }: GateQuestions) {
  return heldOut.slice(0, form === 'quick' ? QUICK_QUESTIONS : FULL_QUESTIONS);
}

function pairsOf(form: GateForm, { pairs = [] }: GateQuestions) {
  return form === 'quick' ? pairs.slice(0, QUICK_PAIRS) : pairs;
}

function probesOf(form: GateForm, { probes = [] }: GateQuestions): readonly Probe[] {
  return form === 'quick' ? FACT_PROBES.slice(0, QUICK_FACTS) : [...FACT_PROBES, ...probes];
}
