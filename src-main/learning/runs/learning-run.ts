import { z } from 'zod';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Objective } from '../../../src-preload/contract/learning-runs.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { sayingSchema } from '../../../src-preload/contract/saying-schema.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { LearningRunStore } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';
import { type Asked, unlessTooLong } from '../asked.ts';
import { DEFAULT_LONGEST, type Trainer, type TrainerModel } from '../training/trainer.ts';
import { stepBatch } from './batches.ts';
import { type ChosenSamples, SAMPLES } from './kept-samples.ts';
import { questionOf } from './lesson.ts';
import { adapterIn, type Found, Looks, type LooksPorts } from './looks.ts';
import { jsonPiece, type PieceForm } from './run-files.ts';
import { forLesson, type RunSettings, rateAt, runSettingsSchema, trainerSettings } from './run-settings.ts';
import { type Lesson, makeSamples, type Sampled } from './sampling.ts';
import { toldProgress } from './told-progress.ts';

/** What a run needs to learn; put together anew whenever it goes on. */
export interface LearnPorts<Measures> extends LooksPorts<Measures> {
  store: Pick<LearningRunStore, 'set' | 'addStep' | 'end'>;
  asked: Asked;
  /** One for this model, not open yet. @throws Later where there is none now; what keeps it from being trained */
  createTrainer: (model: TrainerModel, signal: AbortSignal) => Promise<Trainer>;
  lesson: Lesson;
  /** GGUF file of the model. */
  modelPath: string;
  /** Folder of the version to start from; undefined: there is none yet. */
  parent: string | undefined;
  /** Takes in what a trainer saved, puts it to use, and ends the run as accepted: all of it at once, or nothing. */
  accept(folder: string, what: { metrics: Measures; endedAt: number }): Promise<void>;
  /** Resolves when this computer has time for it. @throws where it must stop */
  rest(signal: AbortSignal): Promise<void>;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** What a run found, as it is kept: see {@link Examiner.shown}. */
export interface RunVerdict {
  accepted: boolean;
  reasons: readonly Saying[];
  before?: object;
  after?: object;
  /** The first prompt, and what the model says to it before and after. */
  shown?: { prompt: string; before: string; after: string };
}

type Learnt = Pick<Sampled, 'samples' | 'anchors'>;
/** What could be taken, should nothing better come. */
type Best<Measures> = { step: number; found: Found<Measures> };

/** From fewer, a model learns them by heart. */
const LEAST_SAMPLES = 4;
const SHOWN_TOKENS = 160;
/** Where so many answers are as wanted, no more steps are done: they cost what else the model knows. */
const ENOUGH = 0.8;

/**
 * Learns what a run has taken: samples, steps, and after some of them a look whether that is enough. What cannot be shown to be better is not taken. Killed
 * or stopped at any moment, it goes on from the last step that was saved.
 */
export class LearningRun<Measures> {
  readonly #run: RunRow;
  readonly #ports: LearnPorts<Measures>;
  readonly #settings: RunSettings;
  readonly #now: () => number;
  readonly #begunAt: number;

  constructor(run: RunRow, ports: LearnPorts<Measures>) {
    this.#run = run;
    this.#ports = ports;
    this.#settings = forLesson(runSettingsSchema.parse(JSON.parse(run.settings)), ports.lesson);
    this.#now = ports.now ?? Date.now;
    this.#begunAt = this.#now();
  }

  /** @throws what keeps it from going on, and the signal's reason: it can be taken up again then */
  async work(): Promise<void> {
    try {
      await this.#goOn();
    } finally {
      await this.#tellTime();
    }
  }

  async #goOn(): Promise<void> {
    await this.#ports.store.set(this.#run.id, { settings: JSON.stringify(this.#settings) });
    const { samples, anchors, objective, tooLong, ...counts } = await this.#sample();
    await this.#tellTime();
    if (samples.length < LEAST_SAMPLES) {
      this.#checkLength(tooLong);
      return await this.#rolledBack({ reasons: [say('learning.cannot', { ...counts, kept: samples.length })] });
    }
    await this.#train({ samples, anchors, objective });
  }

  /** @param tooLong of the lesson's prompts, so many @throws CONTEXT_TOO_LONG where it is for that that nothing can be learnt */
  #checkLength(tooLong: number): void {
    const of = this.#ports.lesson.prompts.length;
    if (2 * tooLong <= of) return;
    const message = say('learning.tooLong', { tooLong, of });
    const hint = say('learning.tooLong.hint', { longest: DEFAULT_LONGEST });
    throw new QuarryError({ code: 'CONTEXT_TOO_LONG', message, hint });
  }

  /** Once: what is on the disk is not made anew. */
  async #sample(): Promise<ChosenSamples> {
    const { files, store } = this.#ports;
    return await files.once(SAMPLES, async () => {
      await store.set(this.#run.id, { state: 'sampling' });
      const wanted = this.#settings.objective;
      const sampled = await this.#samplesFor(wanted);
      if (wanted === 'distillation') return await this.#chosen(wanted, say('learning.why.distillation'), sampled);
      if (sampled.complied > 0) return await this.#chosen(wanted, say('learning.why.sdpo'), sampled);
      const why = say('learning.why.noneComplies', { tried: sampled.tried });
      return await this.#chosen('distillation', why, await this.#samplesFor('distillation'));
    });
  }

  async #chosen(objective: Objective, why: Saying, sampled: Sampled): Promise<ChosenSamples> {
    await this.#ports.store.set(this.#run.id, { objective, why: JSON.stringify(why) });
    return { ...sampled, objective };
  }

  async #samplesFor(objective: Objective): Promise<Sampled> {
    const { asked, lesson, parent, onProgress, signal } = this.#ports;
    const { tries, keep, answerTokens: maxTokens, seed, teacherTop, klWeight } = this.#settings;
    const adapter = parent && adapterIn(parent);
    const how = { objective, adapter, tries, keep, maxTokens, seed, teacherTop, wantsBase: klWeight > 0 };
    return await toldProgress('sampling', onProgress, (onAsked) =>
      makeSamples(lesson, { asked, ...how, onAsked, signal }),
    );
  }

  async #train({ objective, ...learnt }: Learnt & { objective: Objective }): Promise<void> {
    const { createTrainer, files, lesson, modelPath, parent, signal } = this.#ports;
    const done = await files.lastStep();
    if (done >= this.#settings.steps) return await this.#learn(undefined, learnt, done); // it was left when it was to be looked at
    const settings = { ...trainerSettings(this.#settings, lesson), objective };
    const model = { modelPath, from: done > 0 ? files.step(done) : parent, settings };
    const trainer = await createTrainer(model, signal);
    try {
      await trainer.open(model, signal);
      await this.#learn(trainer, learnt, done);
    } finally {
      await trainer.close();
    }
  }

  /**
   * While what was saved is looked at, the next steps are done: the engine looks, the trainer computes.
   * @param trainer undefined where all steps are done
   */
  async #learn(trainer: Trainer | undefined, learnt: Learnt, done: number): Promise<void> {
    const { files, store, parent, examiner } = this.#ports;
    await store.set(this.#run.id, { state: 'training' });
    const looks = new Looks({ ...this.#ports, run: this.#run.id, steps: this.#settings.steps });
    const before = looks.before(parent && adapterIn(parent));
    before.catch(ignoring('whoever waits for it hears of it'));
    let best = await files.read(bestOf(examiner));
    let step = done;
    for (;;) {
      const next = this.#ahead(trainer, learnt, step);
      try {
        const was = await before;
        const found = step > 0 ? await looks.at(step, was) : undefined;
        if (found?.accepted && found.share > (best?.found.share ?? 0)) best = await this.#keep({ step, found }, best);
        if (best && (best.found.share >= ENOUGH || !next.steps)) {
          await next.stop();
          return await this.#take(best.step, was, best.found);
        }
        if (found && !next.steps) return await this.#rolledBack(await this.#verdict(step, was, found));
        const done = await next.steps;
        if (step > 0 && step !== best?.step) await files.removeStep(step);
        step = done ?? step;
      } finally {
        await next.stop();
      }
    }
  }

  async #keep(best: Best<Measures>, before: Best<Measures> | undefined): Promise<Best<Measures>> {
    const { files, examiner } = this.#ports;
    await files.write(bestOf(examiner), best);
    if (before && before.step !== best.step) await files.removeStep(before.step); // the same, looked at again after a stop, may be found a little better
    return best;
  }

  /** The steps up to the next look, under way; none where there are no more. */
  #ahead(trainer: Trainer | undefined, learnt: Learnt, done: number) {
    const enough = new AbortController();
    const until = AbortSignal.any([this.#ports.signal, enough.signal]);
    const isMore = trainer && done < this.#settings.steps;
    const steps = isMore ? this.#stepsToNextLook(trainer, learnt, done, until) : undefined;
    steps?.catch(ignoring('whoever waits for them hears of it'));
    return {
      steps,
      async stop() {
        enough.abort();
        await steps?.catch(ignoring('they are not wanted any more, or somebody heard of it'));
      },
    };
  }

  /** @returns the last step that was done; it is saved */
  async #stepsToNextLook(trainer: Trainer, learnt: Learnt, done: number, signal: AbortSignal): Promise<number> {
    const { store, files, rest } = this.#ports;
    const { checkEvery, steps } = this.#settings;
    const last = Math.min(steps, done + checkEvery - (done % checkEvery));
    for (let step = done; step < last; step++) {
      await rest(signal);
      const figures = await trainer.step(stepBatch(step, learnt, this.#settings), {
        rate: rateAt(step, steps),
        signal,
      });
      await store.addStep(this.#run.id, step + 1, { ...figures, computes: trainer.computes });
      await this.#tellTime();
    }
    signal.throwIfAborted();
    const saving = performance.now();
    await trainer.save(files.step(last), signal);
    await store.addStep(this.#run.id, last, { savingMs: Math.round(performance.now() - saving) });
    await store.set(this.#run.id, { step: last });
    await this.#tellTime();
    return last;
  }

  async #take(step: number, before: Measures, found: Found<Measures>): Promise<void> {
    const { accept, files, store } = this.#ports;
    const verdict = await this.#verdict(step, before, found);
    await store.set(this.#run.id, { verdict: JSON.stringify(verdict), step }); // what was done beyond it is not in the version
    await accept(files.step(step, found.strength), { metrics: found.after, endedAt: this.#now() });
    await files.remove();
  }

  async #verdict(step: number, before: Measures, found: Found<Measures>): Promise<RunVerdict> {
    const { lesson, files, parent, examiner } = this.#ports;
    const adapters = { before: parent && adapterIn(parent), after: adapterIn(files.step(step, found.strength)) };
    const [first] = lesson.prompts;
    const shown = first && (await unlessTooLong(() => this.#shown(first.messages, adapters)));
    const { accepted, reasons, after } = found;
    const measured = { before: examiner.shown(before), after: examiner.shown(after) };
    return { accepted, reasons, ...measured, ...(shown && { shown }) };
  }

  async #shown(
    messages: Lesson['prompts'][number]['messages'],
    { before, after }: { before: string | undefined; after: string },
  ): Promise<NonNullable<RunVerdict['shown']>> {
    return {
      prompt: questionOf(messages),
      before: await this.#answer(messages, before),
      after: await this.#answer(messages, after),
    };
  }

  async #answer(messages: Lesson['prompts'][number]['messages'], adapter: string | undefined): Promise<string> {
    const { asked, signal } = this.#ports;
    const how = { adapter, temperature: 0, maxTokens: SHOWN_TOKENS, seed: this.#settings.seed, signal };
    return (await asked.answer(messages, how)).text;
  }

  async #rolledBack(verdict: Omit<RunVerdict, 'accepted'>): Promise<void> {
    const { store, files } = this.#ports;
    const kept = JSON.stringify({ ...verdict, accepted: false });
    await store.end(this.#run.id, 'rolled-back', { verdict: kept, ended_at: this.#now() });
    await files.remove();
  }

  /** Now and then, too: what is killed has spent it all the same. */
  async #tellTime(): Promise<void> {
    const seconds = this.#run.seconds + (this.#now() - this.#begunAt) / 1_000;
    await this.#ports.store.set(this.#run.id, { seconds });
  }
}

function bestOf<Measures>({ schema }: LooksPorts<Measures>['examiner']): PieceForm<Best<Measures>> {
  const found = z.object({
    ...{ accepted: z.boolean(), gained: z.boolean(), share: z.number(), strength: z.number() },
    ...{ reasons: z.array(sayingSchema), after: schema },
  });
  return jsonPiece('best', z.object({ step: z.int(), found }));
}
