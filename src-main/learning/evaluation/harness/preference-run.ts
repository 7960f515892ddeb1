import { sentence } from '../../../../src-preload/contract/saying.ts';
import { decide, type GateDecision, type Measured } from '../gate/gate.ts';
import { type MeasuredAnswers, measureForGate } from '../gate/measured.ts';
import { answerTo } from '../measures/answers.ts';
import { capabilityRatio } from '../measures/capability.ts';
import { passRate } from '../measures/compliance.ts';
import { codingProbes } from '../probes/coding.ts';
import { INSTRUCTION_PROBES } from '../probes/instructions.ts';
import type { Probe } from '../probes/probe.ts';
import { askedAs, type Preference } from '../prompts/preference.ts';
import type { TeacherView } from '../verifiers/likeness.ts';
import type { Verifier } from '../verifiers/verifier.ts';
import { concernsLength, verifierOf } from '../verifiers/wish.ts';
import { collapseStepsOf, type EvalConfig, type Metric } from './eval-config.ts';
import type { EvalPorts, EvalProgress, FeedbackItem, Learner } from './eval-ports.ts';
import { measureStep } from './measure-step.ts';
import {
  type EvalRecord,
  evalRecord,
  measuredRecord,
  type StepRecord,
  type SummaryRecord,
  summaryRecord,
} from './records.ts';
import type { ResultsFolder } from './results-folder.ts';

/** The evaluation of one preference. */
export class PreferenceRun {
  readonly #preference: Preference;
  readonly #config: EvalConfig;
  readonly #results: ResultsFolder;
  readonly #ports: EvalPorts;
  readonly #signal: AbortSignal | undefined;
  readonly #view: TeacherView['withFeedback'];
  readonly #verifier: Verifier;
  readonly #loraId: string;
  readonly #probes: readonly Probe[];

  constructor(
    preference: Preference,
    config: EvalConfig,
    results: ResultsFolder,
    ports: EvalPorts,
    signal?: AbortSignal,
  ) {
    this.#preference = preference;
    this.#config = config;
    this.#results = results;
    this.#ports = ports;
    this.#signal = signal;
    this.#loraId = `${config.loraIdPrefix}/${preference.name}`;
    const { sandbox, asked } = ports;
    this.#view = ports.teacher(preference.feedback);
    this.#verifier = verifierOf(preference.wish, { sandbox, teacher: { asked, withFeedback: this.#view } });
    this.#probes = sandbox ? codingProbes(sandbox) : [];
  }

  async run(): Promise<SummaryRecord> {
    await this.#results.sameSettings(this.#metadata());
    const steps = await this.#results.steps();
    const done = await this.#results.read('summary.json', summaryRecord);
    if (done && done.steps >= this.#config.steps) return done;
    const baseline = await this.#baseline();
    const before = await this.#gateBefore();
    const learner = await this.#ports.learn(this.#loraId, steps.length);
    try {
      for (let step = steps.length; step < this.#config.steps; step++) {
        const record = await this.#step(step, learner, baseline);
        await this.#results.append(record);
        steps.push(record);
      }
      return await this.#end(baseline, steps, before, learner);
    } finally {
      await learner.close();
    }
  }

  #metadata() {
    const { name, feedback, wish, system, training, heldOut } = this.#preference;
    const { plots, ...config } = this.#config;
    const { model } = this.#ports;
    return { preference: name, lora_id: this.#loraId, model, feedback, wish, system, training, heldOut, config };
  }

  async #baseline(): Promise<EvalRecord> {
    const known = await this.#results.read('baseline.json', evalRecord);
    if (known) return known;
    this.#tell('baseline', 0);
    const measured = await this.#measure(undefined, undefined, new Set(this.#config.metrics));
    await this.#results.write('baseline.json', measured);
    return measured;
  }

  async #gateBefore(): Promise<Measured> {
    const known = await this.#results.read('before.json', measuredRecord);
    if (known) return known;
    this.#tell('baseline', 0);
    const measured = await this.#measureForGate(undefined);
    await this.#results.write('before.json', measured);
    return measured;
  }

  async #step(step: number, learner: Learner, baseline: EvalRecord): Promise<StepRecord> {
    const now = this.#ports.now ?? Date.now;
    const begun = now();
    this.#tell('learning', step);
    const batch = await this.#answers(step, learner);
    const figures = await learner.learn(batch, this.#config.stepsPerBatch, this.#signal);
    this.#tell('measuring', step);
    const measured = await this.#measure(learner.adapter, baseline, this.#metricsAt(step));
    return {
      preference: this.#preference.name,
      step,
      timestamp: new Date(now()).toISOString(),
      feedback_given: batch[0]?.feedback ?? '',
      sdpo_metrics: figures,
      eval: measured,
      prompt_used: batch[0]?.messages.at(-1)?.content ?? '',
      response_text: batch[0]?.response ?? null,
      timing_s: (now() - begun) / 1_000,
    };
  }

  /** What it answers now to the next questions; the feedback as often as is wanted. */
  async #answers(step: number, learner: Learner): Promise<FeedbackItem[]> {
    const { batchSize, answerTokens: maxTokens, feedbackRepetitions, seed } = this.#config;
    const { training, feedback } = this.#preference;
    const { asked } = this.#ports;
    const items: FeedbackItem[] = [];
    for (let at = 0; at < batchSize; at++) {
      const question = training[(step * batchSize + at) % training.length] ?? '';
      const messages = askedAs(this.#preference, question);
      const measuring = { asked, adapter: learner.adapter, signal: this.#signal };
      const { text: response } = await answerTo(messages, { maxTokens, seed: seed + step }, measuring);
      const said = Array(feedbackRepetitions).fill(feedback).join(' ');
      items.push({ messages, response, feedback: said, verifier: this.#verifier });
    }
    return items;
  }

  async #end(
    baseline: EvalRecord,
    steps: readonly StepRecord[],
    before: Measured,
    { adapter }: Learner,
  ): Promise<SummaryRecord> {
    this.#tell('gate', steps.length);
    const after = await this.#measureForGate(adapter);
    const decision = decide(before, after, { form: 'full', concernsLength: concernsLength(this.#preference.wish) });
    const summary = summaryOf(this.#preference.name, this.#loraId, { baseline, steps, before, after, decision });
    await this.#results.write('after.json', after);
    await this.#results.write('summary.json', summary);
    await this.#results.writeYaml('summary.yaml', summary);
    if (this.#config.plots) await this.#ports.draw?.(this.#results.path, baseline, steps);
    return summary;
  }

  async #measure(adapter: string | undefined, baseline: EvalRecord | undefined, metrics: ReadonlySet<Metric>) {
    const what = {
      preference: this.#preference,
      verifier: this.#verifier,
      config: this.#config,
      probes: this.#probes,
      metrics,
      baseline,
    };
    return await measureStep(what, { asked: this.#ports.asked, adapter, signal: this.#signal });
  }

  /** With the questions of a run's gate, asked as it asks them. */
  async #measureForGate(adapter: string | undefined): Promise<MeasuredAnswers> {
    const heldOut = this.#preference.heldOut.map((question) => askedAs(this.#preference, question));
    const { pairs } = this.#preference;
    const { seed } = this.#config;
    const how = { verifier: this.#verifier, view: this.#view, probes: INSTRUCTION_PROBES, seed };
    const measuring = { asked: this.#ports.asked, adapter, signal: this.#signal };
    return await measureForGate('full', { heldOut, pairs, ...how }, measuring);
  }

  /** Collapse costs several answers: only now and then. */
  #metricsAt(step: number): ReadonlySet<Metric> {
    const wanted = this.#config.metrics.filter(
      (metric) => metric !== 'collapse' || collapseStepsOf(this.#config).has(step),
    );
    return new Set(wanted);
  }

  #tell(phase: EvalProgress['phase'], step: number): void {
    this.#signal?.throwIfAborted();
    this.#ports.onProgress?.({ preference: this.#preference.name, step, steps: this.#config.steps, phase });
  }
}

interface Ending {
  baseline: EvalRecord;
  steps: readonly StepRecord[];
  before: Measured;
  after: Measured;
  decision: GateDecision;
}

function summaryOf(
  preference: string,
  loraId: string,
  { baseline, steps, before, after, decision }: Ending,
): SummaryRecord {
  const last = steps.at(-1)?.eval;
  const [was, is] = [baseline.general?.general_score, last?.general?.general_score];
  const [marginWas, marginIs] = [baseline, last].map((measured) => measured?.logprob_margin?.margin_per_token);
  return {
    preference,
    lora_id: loraId,
    logprob_margin_delta: last?.logprob_margin?.margin_delta_from_baseline ?? null,
    logprob_margin_per_token_delta: marginIs === undefined || marginWas === undefined ? null : marginIs - marginWas,
    final_compliance: last?.preference_compliance ?? null,
    capability_ratio: was === undefined || is === undefined ? null : capabilityRatio(was, is),
    capability_before: was ?? null,
    accepted: decision.accepted,
    reason: sentence(decision.reason),
    checks: decision.checks.map(({ name, passes, why }) => ({ name, passes, why: sentence(why) })),
    held_out_before: passRate(before.passes),
    held_out_after: passRate(after.passes),
    steps: steps.length,
  };
}
