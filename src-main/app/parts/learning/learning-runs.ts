import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type {
  LearningNow,
  LearningProgress,
  LearningRunDetails,
  LearningRunView,
} from '../../../../src-preload/contract/learning-runs.ts';
import type { TrainerKind, TrainerOutlook } from '../../../../src-preload/contract/learning-trainers.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { makeFolder } from '../../../base/folder.ts';
import { watched } from '../../../base/watched.ts';
import { noTokens } from '../../../learning/asked-engine.ts';
import { CountedEngines } from '../../../learning/counted-engine.ts';
import type { RunPort } from '../../../learning/feedback/ports.ts';
import { forgetInRuns } from '../../../learning/runs/forget-in-runs.ts';
import { LearningQueue } from '../../../learning/runs/learning-queue.ts';
import { RunFiles, sweepRuns } from '../../../learning/runs/run-files.ts';
import { outcomeOf } from '../../../learning/runs/run-outcome.ts';
import { runSettings, trainerSettings, withWishes } from '../../../learning/runs/run-settings.ts';
import { runDetails, runView, sentenceOf } from '../../../learning/runs/run-views.ts';
import { unable } from '../../../learning/trainers/trainer-outlook.ts';
import type { ModelLibrary } from '../../../models/library/library.ts';
import { CompletionStore } from '../../../store/learning/learning-completions.ts';
import { FeedbackStore } from '../../../store/learning/learning-feedback.ts';
import { LearningRunStore } from '../../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../../store/learning/learning-runs.ts';
import { IdleConditions, neverLearns } from '../../learning/conditions.ts';
import { learner } from '../../learning/learner.ts';
import type { Core } from '../core.ts';
import type { EnergyPart } from '../energy.ts';
import type { EnginePart } from '../engine.ts';
import type { FleetPart } from '../mesh/fleet.ts';
import type { MiningPart } from '../mesh/mining.ts';
import { AS_MINER, type Lack } from '../need.ts';
import type { PolicyPart } from '../policy.ts';
import type { LearningPart } from './learning.ts';
import type { LearningTorchPart } from './learning-torch.ts';
import { type LearningTrainersPart, openLearningTrainers } from './learning-trainers.ts';

export const NO_LEARNING: Lack = { message: say('learning.notHere'), hint: AS_MINER };

/** Makes the model better from the feedback that waits. */
export interface LearningRunsPart {
  readonly trainers: LearningTrainersPart;
  now(): Promise<LearningNow>;
  /** Now, and whenever it changes. */
  watch(signal?: AbortSignal): AsyncGenerator<LearningNow, void, undefined>;
  /** Newest first. @param before only those that began earlier: Unix milliseconds */
  list(limit: number, before?: number): Promise<LearningRunView[]>;
  /** @throws BAD_REQUEST where there is none */
  run(id: string): Promise<LearningRunDetails>;
  /** There may be feedback that was not there. */
  added(): void;
  /** What a run with the settings of now would take, by one kind of trainer. */
  outlook(trainer: TrainerKind): Promise<TrainerOutlook>;
  /** How runs have ended so far, with the seconds that they took. */
  outcomes(): ReturnType<LearningRunStore['outcomes']>;
  /** For programs, which wait for what comes of their feedback. */
  readonly port: RunPort;
  /** Also what was put aside. @throws ENGINE_UNAVAILABLE where the model runs elsewhere: then nothing is begun */
  start(): Promise<void>;
  pause(): void;
  /** @throws NOT_RUNNING */
  cancel(): Promise<void>;
}

export interface LearningRunsNeeds {
  engine: EnginePart;
  library: ModelLibrary;
  torch: LearningTorchPart;
  fleet: Pick<FleetPart, 'call' | 'onCall' | 'others'> | undefined;
  learning: Pick<LearningPart, 'versions' | 'keeper'>;
  policy: PolicyPart | undefined;
  mining: Pick<MiningPart, 'hold'> | undefined;
  energy: Pick<EnergyPart, 'onUsed'>;
  /** Whether the node stays: then it learns by itself. */
  stays: boolean;
}

export async function openLearningRuns(core: Core, needs: LearningRunsNeeds): Promise<LearningRunsPart> {
  const { config, db, settings, changes, log, until, onClose } = core;
  const { engine, library, torch, fleet, learning, policy, mining, energy, stays } = needs;
  const { versions } = learning.versions;
  const set = settings.follow('learning');
  const never = neverLearns(config);
  const store = new LearningRunStore(db);
  const folder = dataPath(config.dataDir, 'learning');
  const completions = new CompletionStore(db);
  const filesOf = (run: string) => new RunFiles(join(folder, run));
  const ownEngines = new CountedEngines();
  const served = () => {
    const { active, waiting } = engine.machine.load;
    return active + waiting - ownEngines.active;
  };
  const conditions = new IdleConditions({ policy, served, asked: () => engine.machine.asked });
  const trainers = await openLearningTrainers(core, {
    ...{ library, torch, fleet, stays },
    against: () => [...conditions.against(), ...(queue.view().run === undefined ? [] : [say('trainers.ownRun')])],
  });
  const model = settings.follow('model');
  const modelPath = async () => {
    if (never) return undefined;
    return engine.slot.current?.engine?.modelPath ?? (await library.find(model.now)).path;
  };
  let progress: LearningProgress | null = null; // looked at as often as `watched` looks
  const learn = learner({
    ...{ engine, ownEngines, store, folder, trainers, versions, modelPath },
    probes: () => set.now.probes,
    onProgress: (told) => {
      progress = told;
    },
    completions,
    feedback: new FeedbackStore(db),
  });
  let joules = 0;
  energy.onUsed((used) => {
    joules += used;
  });
  const queue: LearningQueue = new LearningQueue({
    ...{ store, log, conditions, when: () => set.now.when },
    settings: ({ training }) => withWishes(runSettings(set.now), training),
    newId: () => randomBytes(8).toString('hex'),
    onGivenUp: (id) => filesOf(id).remove(),
    async learn(run, how) {
      using _held = set.now.whileLearning === 'refuse' ? mining?.hold(say('mesh.learning')) : undefined;
      joules = 0;
      changes.tell();
      try {
        await learn(run, how);
      } finally {
        if (joules > 0) await store.set(run.id, { watt_hours: (run.watt_hours ?? 0) + joules / 3_600 });
        changes.tell();
      }
    },
  });
  onClose(() => queue.close());
  await makeFolder(folder, 0o700);
  await sweepRuns(folder, new Set((await store.unfinished()).map(({ id }) => id)));
  const forgetToo = () => forgetInRuns({ store, completions, queue, filesOf });
  await forgetToo(); // a node before may have been killed amid it
  learning.keeper.onForgotten(forgetToo);
  if (stays && !never) queue.open();
  const hindrance = () => never ?? (queue.view().state === 'paused' ? say('learning.pausedNow') : undefined);
  /** Of one that is under way, or is to go on: what it found is not known yet. */
  const view = async ({ verdict: _, ...row }: RunRow) =>
    runView({ ...row, reasons: null }, await store.feedback(row.id));
  const now = async (): Promise<LearningNow> => {
    const { state, why, run } = queue.view();
    const row = run === undefined ? (await store.unfinished())[0] : await store.get(run);
    return { state, why: (never ? [never] : why).map(sentenceOf), run: row ? await view(row) : null, progress };
  };
  return {
    trainers,
    now,
    watch: (signal) => watched(now, changes, until(signal)),
    async list(limit, before) {
      const rows = await store.list(limit, before);
      const feedback = await store.feedbackOf(rows.map(({ id }) => id));
      return rows.map((row) => runView(row, feedback.get(row.id) ?? []));
    },
    async run(id) {
      const row = await store.get(id);
      if (!row) throw unknownRun();
      return runDetails(row, await store.feedback(id), await store.steps(id));
    },
    added: () => queue.added(),
    outcomes: () => store.outcomes(),
    async outlook(trainer) {
      const run = runSettings(set.now);
      const settings = trainerSettings(run, { saysNew: false });
      const offers = async () => {
        const path = await modelPath();
        if (path === undefined)
          throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('learning.noTokens') });
        return await trainers.outlook.offers(trainer, { modelPath: path, settings });
      };
      return { steps: run.steps, offers: await offers().catch((error: unknown) => [unable(error, null)]) };
    },
    port: {
      hindrance,
      added: () => queue.added(),
      async learn(feedback, signal) {
        const message = hindrance();
        if (message) throw new QuarryError({ code: 'NOT_RUNNING', message });
        const run = await queue.learn(feedback, signal);
        const latest = (await versions.adapter(run.name))?.latest ?? null;
        const inUse = latest === null ? [] : await versions.lineage(latest, Number.POSITIVE_INFINITY);
        return outcomeOf(
          run,
          await store.steps(run.id),
          inUse.map(({ id }) => id),
        );
      },
    },
    async start() {
      if (never) throw noTokens();
      await store.takeUp();
      queue.open();
      queue.start();
      changes.tell();
    },
    pause() {
      queue.pause();
      changes.tell();
    },
    async cancel() {
      await queue.cancel();
      changes.tell();
    },
  };
}

function unknownRun(): QuarryError {
  const [message, hint] = [say('learning.unknownRun'), say('learning.unknownRun.hint')];
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'id' });
}
