import type { Measuring } from '../measures/answers.ts';
import { type Capability, generalScore, measureCapability, shareOfFacts, shareRight } from '../measures/capability.ts';
import { type Collapse, collapseAlarms, measureCollapse } from '../measures/collapse.ts';
import { measureCompliance } from '../measures/compliance.ts';
import { type Margin, marginOf, measureMargins } from '../measures/margin.ts';
import { FACT_PROBES } from '../probes/facts.ts';
import { INSTRUCTION_PROBES } from '../probes/instructions.ts';
import type { Probe } from '../probes/probe.ts';
import { askedAs, type Preference } from '../prompts/preference.ts';
import type { Verifier } from '../verifiers/verifier.ts';
import type { EvalConfig, Metric } from './eval-config.ts';
import type { EvalRecord } from './records.ts';

export interface StepMeasuring {
  preference: Preference;
  verifier: Verifier;
  config: EvalConfig;
  /** Beside facts and instructions: programs, own probes. */
  probes: readonly Probe[];
  /** Which metrics now. */
  metrics: ReadonlySet<Metric>;
  /** What it is compared with; absent for the baseline itself. */
  baseline: EvalRecord | undefined;
}

/** Most tokens of a held-out answer. */
const ANSWER_TOKENS = 64;

/** All that is measured after a step, in the original's shape. */
export async function measureStep(what: StepMeasuring, measuring: Measuring): Promise<EvalRecord> {
  const { preference, verifier, config, metrics, baseline } = what;
  const wants = (metric: Metric) => metrics.has(metric);
  const questions = preference.heldOut.slice(0, config.heldOut).map((question) => askedAs(preference, question));
  const margin = marginOf(wants('logprob') ? await measureMargins(preference.pairs, measuring) : []);
  return {
    logprob_margin: margin ? marginRecordOf(margin, baseline) : null,
    preference_compliance: wants('compliance')
      ? (await measureCompliance(questions, verifier, { maxTokens: ANSWER_TOKENS }, measuring)).mean
      : null,
    general: wants('general')
      ? generalRecordOf(await measureCapability([...FACT_PROBES, ...INSTRUCTION_PROBES, ...what.probes], measuring))
      : null,
    collapse: wants('collapse') ? collapseRecordOf(await measureCollapse(measuring, config.seed), baseline) : null,
  };
}

function marginRecordOf({ sum, perToken }: Margin, baseline: EvalRecord | undefined) {
  const before = baseline?.logprob_margin?.margin ?? sum;
  return { margin: sum, margin_delta_from_baseline: sum - before, margin_per_token: perToken };
}

function generalRecordOf(capability: Capability) {
  const coded = Object.keys(capability).some((id) => id.startsWith('coding: '));
  return {
    general_score: coded ? generalScore(capability) : shareRight(capability, 'instruction: '),
    ifeval_pass_rate: shareRight(capability, 'instruction: '),
    coding_correct: coded ? shareRight(capability, 'coding: fibonacci') === 1 : null,
    facts: shareOfFacts(capability),
  };
}

function collapseRecordOf(collapse: Collapse, baseline: EvalRecord | undefined) {
  const before = baseline?.collapse;
  const compared = before
    ? { ...collapse, entropy: before.mean_entropy, meanLogprob: before.mean_logprob, selfRouge: before.self_rouge_l }
    : collapse;
  const { entropyRatio, drift, entropy, selfRouge, logprob } = collapseAlarms(compared, collapse);
  return {
    mean_entropy: collapse.entropy,
    entropy_ratio_to_baseline: entropyRatio,
    self_rouge_l: collapse.selfRouge,
    mean_logprob: collapse.meanLogprob,
    mean_logprob_drift: drift,
    alert: entropy || selfRouge || logprob,
  };
}
