import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { type Capability, capabilityRatio } from '../measures/capability.ts';
import { type Collapse, collapseAlarms, MOST_SELF_ROUGE } from '../measures/collapse.ts';
import type { Soundness } from '../measures/soundness.ts';
import { pairedGain } from './paired.ts';

/** `quick`: every few steps, a few questions, whether it is worth going on or time to stop. `full`: whether it is kept. */
export type GateForm = 'quick' | 'full';

/** What was measured of a model, the same questions before and after. */
export interface Measured {
  /** Of each held-out question, whether the answer is as it was wanted. */
  passes: readonly boolean[];
  capability: Capability;
  answers: Soundness;
  /** In full only. */
  collapse?: Collapse | undefined;
}

export interface GateRules {
  form: GateForm;
  /** Whether what was wanted is about how long answers are: then they may become shorter or longer. */
  concernsLength: boolean;
}

export const GATE_CHECKS = ['compliance', 'facts', 'skills', 'answers', 'lengths', 'plausible', 'collapse'] as const;
export type GateCheckName = (typeof GATE_CHECKS)[number];

export interface GateCheck {
  name: GateCheckName;
  passes: boolean;
  why: Saying;
}

export interface GateDecision {
  accepted: boolean;
  /** In one sentence: why not, or what has become better. */
  reason: Saying;
  checks: GateCheck[];
  /** For curves and records: facts and the like known after, of those before. */
  capabilityRatio: number;
}

/** Held-out answers as they were wanted: so many more, of all. */
const LEAST_GAIN = 0.2;
/** A quick look is passed only where so many are: else it is trained on. */
const QUICK_SHARE = 0.8;
/** Where so many were right before, there is nothing to learn. */
const ALREADY = 0.95;
/** Capability that has to be left. */
const LEAST_RATIO = 0.95;
/** Of so few right before, none may be lost; of more, one may: a word more or less makes it. */
const NOISE_FROM = 5;
/** How many more of the answers may be empty, go round in circles, or be cut off. */
const MOST_WORSE = 0.15;
/** What has nothing to do with the feedback may be told in so many times as many words or sentences, or the inverse, where length was not wanted. */
const MOST_STRETCH = 4;
/**
 * So much less likely, nats a token, may answers be to the model as it was. Seen of SmolLM2-135M with the feedback in view: its own −0.9, other true
 * answers −0.9 to −1.9, names it was given −1 to −2.2, another language −4; shuffled words −7.5, random ones −10.
 */
const MOST_IMPLAUSIBLE = 4;

/**
 * Whether a model that has learnt is kept. Pure: the same figures give the same decision. Entropy and ROUGE alone once let a collapse pass that five
 * facts showed (design); so facts count, and what answers look like.
 */
export function decide(before: Measured, after: Measured, rules: GateRules): GateDecision {
  const checks = [
    compliance(before, after, rules),
    facts(before, after),
    skills(before, after),
    answers(before, after),
    lengths(before, after, rules),
    plausible(before, after),
    collapse(before, after),
  ].filter((check) => check !== undefined);
  const [known, left] = [rightOf(before.capability), rightOf(after.capability)];
  const failed = checks.filter(({ passes }) => !passes);
  const { after: share, before: had } = pairedGain(before.passes, after.passes);
  const kept = say('evaluation.gate.accepted', { before: percent(had), after: percent(share) });
  return {
    accepted: failed.length === 0,
    // What was lost tells more than what was not gained.
    reason: (failed.find(({ name }) => name !== 'compliance') ?? failed[0])?.why ?? kept,
    checks,
    capabilityRatio: capabilityRatio(known, left),
  };
}

function compliance(before: Measured, after: Measured, { form }: GateRules): GateCheck {
  const gain = pairedGain(before.passes, after.passes);
  const figures = {
    before: percent(gain.before),
    after: percent(gain.after),
    low: percent(gain.low),
    high: percent(gain.high),
  };
  const check = (passes: boolean, why: Saying): GateCheck => ({ name: 'compliance', passes, why });
  if (gain.before >= ALREADY) return check(false, say('evaluation.gate.already', { before: figures.before }));
  if (gain.gain <= 0)
    return check(false, say('evaluation.gate.noGain', { before: figures.before, after: figures.after }));
  const enough = form === 'quick' ? gain.after >= QUICK_SHARE : gain.gain >= LEAST_GAIN;
  if (enough && gain.low > 0) return check(true, say('evaluation.gate.gain', figures));
  return check(false, say('evaluation.gate.littleGain', figures));
}

/** Short questions with one right answer, own ones too. */
function facts(before: Measured, after: Measured): GateCheck | undefined {
  const of = Object.keys(before.capability).filter((id) => /^(?:fact|own): /.test(id));
  if (of.length === 0) return undefined;
  const [known, left] = [rightOf(before.capability, of), rightOf(after.capability, of)];
  const figures = { before: known, after: left, of: of.length };
  const passes = known - left <= mostLost(known);
  return {
    name: 'facts',
    passes,
    why: passes ? say('evaluation.gate.facts', figures) : say('evaluation.gate.factsLost', figures),
  };
}

/** Programs and instructions. */
function skills(before: Measured, after: Measured): GateCheck | undefined {
  const of = Object.keys(before.capability).filter((id) => /^(?:coding|instruction): /.test(id));
  if (of.length === 0) return undefined;
  const [known, left] = [rightOf(before.capability, of), rightOf(after.capability, of)];
  const figures = { before: known, after: left, of: of.length };
  const passes = known - left <= Math.max(1, known / 3); // a task of three sentences may fall to «be shorter»
  return {
    name: 'skills',
    passes,
    why: passes ? say('evaluation.gate.skills', figures) : say('evaluation.gate.skillsLost', figures),
  };
}

/** Of the held-out answers, which may well become longer or shorter: «my name is Kuro» says all. */
function answers({ answers: was }: Measured, { answers: is }: Measured): GateCheck {
  const check = (passes: boolean, why: Saying): GateCheck => ({ name: 'answers', passes, why });
  if (is.empty > was.empty + MOST_WORSE)
    return check(false, say('evaluation.gate.empty', { share: percent(is.empty) }));
  if (is.circling > was.circling + MOST_WORSE) {
    return check(false, say('evaluation.gate.circling', { share: percent(is.circling) }));
  }
  if (is.ended < was.ended - MOST_WORSE)
    return check(false, say('evaluation.gate.endless', { share: percent(1 - is.ended) }));
  return check(true, say('evaluation.gate.answers', { before: Math.round(was.words), after: Math.round(is.words) }));
}

/** Of answers that have nothing to do with the feedback. */
function lengths({ collapse: was }: Measured, { collapse: is }: Measured, rules: GateRules): GateCheck | undefined {
  if (!was || !is || rules.concernsLength) return undefined;
  const figures = { before: Math.round(was.words), after: Math.round(is.words) };
  const passes = !isStretched(was.words, is.words) && !isStretched(was.sentences, is.sentences);
  const why = passes ? say('evaluation.gate.length', figures) : say('evaluation.gate.lengthLost', figures);
  return { name: 'lengths', passes, why };
}

function plausible({ answers: was }: Measured, { answers: is }: Measured): GateCheck | undefined {
  if (was.plausibility === undefined || is.plausibility === undefined) return undefined;
  const figures = { before: was.plausibility.toFixed(2), after: is.plausibility.toFixed(2) };
  const passes = is.plausibility > was.plausibility - MOST_IMPLAUSIBLE;
  const why = passes ? say('evaluation.gate.plausible', figures) : say('evaluation.gate.gibberish', figures);
  return { name: 'plausible', passes, why };
}

/** B6's alarms; samples that were as alike before are none. */
function collapse({ collapse: was }: Measured, { collapse: is }: Measured): GateCheck | undefined {
  if (!was || !is) return undefined;
  const alarms = collapseAlarms(was, is);
  const check = (passes: boolean, why: Saying): GateCheck => ({ name: 'collapse', passes, why });
  if (alarms.entropy) return check(false, say('evaluation.gate.entropy', { share: percent(alarms.entropyRatio) }));
  if (alarms.selfRouge && was.selfRouge <= MOST_SELF_ROUGE) {
    return check(false, say('evaluation.gate.alike', { share: percent(is.selfRouge) }));
  }
  if (alarms.logprob) return check(false, say('evaluation.gate.drift', { nats: alarms.drift.toFixed(2) }));
  return check(true, say('evaluation.gate.noCollapse', { share: percent(alarms.entropyRatio) }));
}

function rightOf(capability: Capability, ids = Object.keys(capability)): number {
  return ids.reduce((sum, id) => sum + (capability[id] ?? 0), 0);
}

/** Of so many right: what the ratio leaves, and one in any case where one is noise. */
function mostLost(known: number): number {
  return Math.max(known >= NOISE_FROM ? 1 : 0, Math.floor((1 - LEAST_RATIO) * known + 1e-9));
}

function isStretched(was: number, is: number): boolean {
  return is > MOST_STRETCH * Math.max(1, was) || MOST_STRETCH * Math.max(1, is) < was;
}

function percent(share: number): string {
  return String(Math.round(100 * share));
}
