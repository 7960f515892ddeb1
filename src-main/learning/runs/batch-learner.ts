import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { Asked } from '../asked.ts';
import type { EvalConfig } from '../evaluation/harness/eval-config.ts';
import type { FeedbackItem, Learner } from '../evaluation/harness/eval-ports.ts';
import type { LearnRecord } from '../evaluation/harness/records.ts';
import { ADAPTER_GGUF } from '../formats/adapter-files.ts';
import { checkSaved } from '../training/remote/saved-files.ts';
import type { StepFigures, Trainer } from '../training/trainer.ts';
import { ANCHORS_A_STEP, stepBatch } from './batches.ts';
import { planLesson } from './lesson.ts';
import { RunFiles } from './run-files.ts';
import { type RunSettings, trainerSettings } from './run-settings.ts';
import { type Lesson, type LessonPrompt, makeSamples, type Sampled } from './sampling.ts';

export interface BatchLearnerOptions {
  asked: Asked;
  createTrainer: () => Trainer;
  /** GGUF file of the model. */
  modelPath: string;
  /** Where the adapter is kept, after each batch. */
  folder: string;
  settings: RunSettings;
  /** What a step learns from. Default `run`. */
  batches?: EvalConfig['batches'];
  /** Looks at what is there, before anything computes with it: the folder may be a stranger's. Default {@link checkSaved}. */
  check?: (folder: string, modelPath: string) => Promise<void>;
}

/** A kill may come between what was saved and the line that tells of it: the batch before is wanted then. */
const KEPT = 2;
/** Between the seeds of two batches: more than a batch has samples. */
const SEEDS_A_BATCH = 100_000;
const MOST_SEED = 2 ** 31;

/** An adapter that learns from one batch of feedback after the other, as a run of this node would, but for the gate: it is measured by whoever teaches it. */
export class BatchLearner implements Learner {
  readonly #options: BatchLearnerOptions;
  readonly #files: RunFiles;
  #batches: number;
  #trainer: Trainer | undefined;

  private constructor(batches: number, options: BatchLearnerOptions) {
    this.#batches = batches;
    this.#options = options;
    this.#files = new RunFiles(options.folder);
  }

  /**
   * @param batches how many were learnt; what is there of more is forgotten
   * @throws BAD_REQUEST where the adapter is not there any more; what the check throws
   */
  static async open(batches: number, options: BatchLearnerOptions): Promise<BatchLearner> {
    const learner = new BatchLearner(batches, options);
    await learner.#files.forgetBeyond(batches);
    const { adapter } = learner;
    if (adapter === undefined) return learner;
    if (!(await stat(adapter).catch(ifMissing))) {
      const message = say('evaluation.results.noAdapter', { folder: options.folder });
      throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('evaluation.results.hint') });
    }
    const { check = checkSaved, modelPath } = options;
    await check(dirname(adapter), modelPath);
    return learner;
  }

  get adapter(): string | undefined {
    return this.#batches === 0 ? undefined : join(this.#files.step(this.#batches), ADAPTER_GGUF);
  }

  async learn(batch: readonly FeedbackItem[], steps: number, signal?: AbortSignal): Promise<LearnRecord | null> {
    const { asked, settings, folder, batches = 'run' } = this.#options;
    const feedback = batch.map(({ messages, response, feedback: text }) => {
      return { kind: 'say' as const, text, messages, answer: response };
    });
    const plan = planLesson({ feedback, earlier: [], recent: [], asked });
    const lesson = {
      ...plan.lesson,
      complies: (text: string, prompt: LessonPrompt) => complies(batch, text, prompt, signal),
    };
    const { objective, tries, keep, answerTokens: maxTokens, teacherTop, klWeight } = settings;
    const seed = (settings.seed + SEEDS_A_BATCH * this.#batches) % MOST_SEED;
    const how = {
      asked,
      objective,
      adapter: this.adapter,
      tries,
      keep,
      maxTokens,
      seed,
      teacherTop,
      wantsBase: klWeight > 0,
    };
    const isWhole = batches === 'whole';
    const anchors = isWhole ? [] : lesson.anchors.slice(0, steps * ANCHORS_A_STEP); // no more are wanted
    const learnt = await makeSamples({ ...lesson, anchors }, { ...how, ...(signal && { signal }) });
    const { length } = learnt.samples;
    const trainer = await this.#opened(lesson, signal);
    let figures: StepFigures | undefined;
    for (let step = 0; step < steps && length > 0; step++) {
      const taken = isWhole ? learnt.samples : stepBatch(step, learnt, { batch: settings.batch, seed });
      figures = await trainer.step(taken, { signal });
    }
    await mkdir(folder, { recursive: true });
    await trainer.save(this.#files.step(this.#batches + 1), signal);
    this.#batches++;
    await this.#files.thin(KEPT);
    return figures ? recordOf(figures, learnt) : null;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#trainer?.close();
    this.#trainer = undefined;
  }

  async #opened(lesson: Lesson, signal?: AbortSignal): Promise<Trainer> {
    if (this.#trainer) return this.#trainer;
    const { createTrainer, modelPath, settings } = this.#options;
    this.#trainer = createTrainer();
    const from = this.#batches === 0 ? undefined : this.#files.step(this.#batches);
    const model = { modelPath, settings: trainerSettings(settings, lesson), ...(from && { from }) };
    await this.#trainer.open(model, signal);
    return this.#trainer;
  }
}

function recordOf(
  { distillLoss, klLoss, isRatio, clipFraction, gradNorm }: StepFigures,
  { samples, anchors }: Pick<Sampled, 'samples' | 'anchors'>,
): LearnRecord {
  return {
    ...{ distill_loss: distillLoss, kl_reg: klLoss, mean_is_ratio: isRatio ?? null },
    ...{ samples: samples.length, anchors: anchors.length },
    ...{ clip_fraction: clipFraction ?? null, grad_norm: gradNorm },
  };
}

/** By the rules of all that was said: it is the same of each answer of a preference. */
async function complies(
  batch: readonly FeedbackItem[],
  text: string,
  { messages }: LessonPrompt,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const verifier of new Set(batch.map((item) => item.verifier))) {
    if (!(await verifier.check({ text, messages }, signal)).passes) return false;
  }
  return true;
}
