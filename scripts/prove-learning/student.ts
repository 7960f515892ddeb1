import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { LocalUse } from '../../src-main/app/engine/local-use.ts';
import { learner } from '../../src-main/app/learning/learner.ts';
import { Changes } from '../../src-main/base/changes.ts';
import { PeakMemory } from '../../src-main/bench/learning/peak-memory.ts';
import { EngineSlot } from '../../src-main/inference/host/engine-slot.ts';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { LearntModels } from '../../src-main/learning/adapters/learnt-models.ts';
import { VersionFiles } from '../../src-main/learning/adapters/version-files.ts';
import { Versions } from '../../src-main/learning/adapters/versions.ts';
import { AskedEngine } from '../../src-main/learning/asked-engine.ts';
import { CountedEngines } from '../../src-main/learning/counted-engine.ts';
import { AnswerKeeper } from '../../src-main/learning/feedback/answer-keeper.ts';
import { FeedbackDesk } from '../../src-main/learning/feedback/feedback-desk.ts';
import { DEFAULT_RUN } from '../../src-main/learning/runs/run-settings.ts';
import { JaxTrainer } from '../../src-main/learning/training/jax-trainer.ts';
import { type Db, openDatabase } from '../../src-main/store/database.ts';
import { AdapterStore } from '../../src-main/store/learning/learning-adapters.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../src-main/store/learning/learning-run-store.ts';
import type { RunRow } from '../../src-main/store/learning/learning-runs.ts';
import type { ChatMessage } from '../../src-preload/contract/request.ts';

export interface StudentOptions {
  /** A new one, for its database and its adapters. */
  folder: string;
  model: { path: string; sha256: string };
  seed: number;
  threads: number;
}

const NAME = 'personal';
const MOST_FEEDBACK = 4;
const ANSWER_TOKENS = 160;
const TEMPERATURE = 0.7;

/** A model that answers, is told what was wrong, and learns: of the very parts of a node, in a folder of its own. A resource. */
export class Student {
  readonly asked: AskedEngine;
  readonly versions: Versions;
  readonly peaks: PeakMemory;
  readonly #options: StudentOptions;
  readonly #db: Db;
  readonly #slot: EngineSlot;
  readonly #localUse: LocalUse;
  readonly #models: LearntModels;
  readonly #keeper: AnswerKeeper;
  readonly #desk: FeedbackDesk;
  readonly #runs: LearningRunStore;
  readonly #learn: ReturnType<typeof learner>;
  #trainer: JaxTrainer | undefined;
  #answers = 0;

  private constructor(options: StudentOptions, db: Db) {
    const { folder, model, threads } = options;
    this.#options = options;
    this.#db = db;
    const log = pino({ level: 'silent' });
    const placed = { modelPath: model.path, sha256: model.sha256, gpuLayers: 0, threads, contextSize: 2_048 };
    this.#slot = new EngineSlot(async () => new LocalBackend({ ...placed, parallel: 1, log }));
    this.#localUse = new LocalUse({ engine: this.#slot });
    this.asked = new AskedEngine(() => this.#slot.need());
    this.versions = new Versions({ store: new AdapterStore(db), files: new VersionFiles(join(folder, 'adapters')) });
    this.#models = new LearntModels({ versions: this.versions, choice: () => ({ use: true, adapter: NAME }) });
    const completions = new CompletionStore(db);
    const feedback = new FeedbackStore(db);
    const choice = () => ({ keep: true, keepDays: 30, keepMb: 200 });
    this.#keeper = new AnswerKeeper({ store: completions, choice, log });
    this.#desk = new FeedbackDesk({ completions, feedback, adapter: () => NAME, changes: new Changes() });
    this.#runs = new LearningRunStore(db);
    this.peaks = new PeakMemory(() => ({ engine: this.#slot.current?.engine?.pid, trainer: this.#trainer?.pid }));
    this.#learn = learner({
      ...{
        engine: { slot: this.#slot, localUse: this.#localUse },
        ownEngines: new CountedEngines(),
        store: this.#runs,
      },
      ...{ completions, feedback, versions: this.versions, probes: () => undefined, folder: join(folder, 'learning') },
      trainers: {
        check: async () => undefined,
        create: async () => {
          this.#trainer = new JaxTrainer();
          return this.#trainer;
        },
        laterIfAway: (error) => error,
      },
      modelPath: async () => model.path,
    });
  }

  static async open(options: StudentOptions): Promise<Student> {
    const student = new Student(options, await openDatabase(join(options.folder, 'quarry.db')));
    try {
      await student.versions.open();
      await student.#slot.open();
    } catch (error) {
      await student.close();
      throw error;
    }
    return student;
  }

  /** What it answers now, with what it has learnt; kept, so that something can be said of it. */
  async answer(messages: readonly ChatMessage[]): Promise<{ id: string; text: string }> {
    const { seed, model } = this.#options;
    const engine = this.#slot.need();
    await this.#models.refresh();
    const { path, id: adapter } = await this.#models.choose(undefined, model.sha256);
    const id = `turn-${++this.#answers}`;
    const origin = { id, door: 'terminal' as const, model: 'SmolLM2-135M', base: model.sha256, adapter };
    const sampling = { temperature: TEMPERATURE, seed: seed + this.#answers, maxTokens: ANSWER_TOKENS };
    const request = { input: { messages: [...messages] }, ...sampling };
    const ask: Parameters<AnswerKeeper['keep']>[1] = (asked, options) =>
      engine.generate(asked, { ...options, ...(path !== null && { adapter: path }) });
    for await (const event of this.#keeper.keep(request, ask, origin)) {
      if (event.type === 'done') return { id, text: event.result.text };
    }
    throw new Error('The engine ended without a result.');
  }

  async tell(answer: string, kind: 'say' | 'edit', text: string): Promise<void> {
    await this.#desk.give({ answer, kind, text });
  }

  /** Learns what waits, in one run. @returns the run as it ended; undefined where nothing waits */
  async learn(signal: AbortSignal): Promise<RunRow | undefined> {
    const settings = JSON.stringify({ ...DEFAULT_RUN, seed: this.#options.seed });
    const id = randomBytes(8).toString('hex');
    const run = await this.#runs.begin(
      { id, name: NAME, created_at: Date.now(), settings },
      { training: null, most: MOST_FEEDBACK },
    );
    if (!run) return undefined;
    await this.#learn(run, { rest: async () => signal.throwIfAborted(), signal });
    return await this.#runs.get(id);
  }

  /** Of a run, what was measured at its steps. */
  async curve(run: string): Promise<unknown[]> {
    return await this.#runs.steps(run);
  }

  /** The adapter's file in use; undefined where it is the model as it is. */
  async adapter(): Promise<string | undefined> {
    const [known] = await this.versions.adapters();
    return (known && (await this.versions.resolve(NAME)).path) ?? undefined;
  }

  async undo(): Promise<void> {
    await this.versions.undo(NAME);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.peaks.close();
    await this.#trainer?.close();
    await this.#keeper.close();
    this.#localUse.close();
    await this.#slot.close();
    await this.#db.destroy();
  }
}
