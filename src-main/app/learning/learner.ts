import { basename, join } from 'node:path';
import { readModelHeader } from '../../gguf/model-file.ts';
import type { EngineSlot } from '../../inference/host/engine-slot.ts';
import type { AdapterBase } from '../../learning/adapters/version-intake.ts';
import type { Versions } from '../../learning/adapters/versions.ts';
import { AskedEngine, noTokens } from '../../learning/asked-engine.ts';
import type { CountedEngines } from '../../learning/counted-engine.ts';
import type { MeasuredAnswers } from '../../learning/evaluation/gate/measured.ts';
import { shareOfFacts } from '../../learning/evaluation/measures/capability.ts';
import { passRate } from '../../learning/evaluation/measures/compliance.ts';
import { INSTRUCTION_PROBES } from '../../learning/evaluation/probes/instructions.ts';
import { readOwnProbes } from '../../learning/evaluation/probes/own-probes.ts';
import { baseShape } from '../../learning/formats/base-shape.ts';
import { begunFrom, checkInUse } from '../../learning/runs/begun-from.ts';
import { gateExaminer } from '../../learning/runs/gate-examiner.ts';
import type { LearningQueueOptions } from '../../learning/runs/learning-queue.ts';
import { LearningRun, type LearnPorts } from '../../learning/runs/learning-run.ts';
import { planLesson } from '../../learning/runs/lesson.ts';
import { type LessonSources, learntBefore, recentlyAsked, withAnswers } from '../../learning/runs/lesson-sources.ts';
import { RunFiles } from '../../learning/runs/run-files.ts';
import { runSettingsSchema, trainerSettings } from '../../learning/runs/run-settings.ts';
import type { TrainerChoice } from '../../learning/trainers/trainer-choice.ts';
import { weakenAdapter } from '../../learning/training/saved-adapter.ts';
import type { LearningRunStore } from '../../store/learning/learning-run-store.ts';
import type { RunRow } from '../../store/learning/learning-runs.ts';
import type { LocalUse } from '../engine/local-use.ts';
import { acceptRun } from './accept-run.ts';

export interface LearnerNeeds extends Pick<LessonSources, 'completions' | 'feedback'> {
  engine: { slot: EngineSlot; localUse: LocalUse };
  /** Through which all of it is asked. */
  ownEngines: CountedEngines;
  store: LearningRunStore;
  versions: Versions;
  trainers: Pick<TrainerChoice, 'check' | 'create' | 'laterIfAway'>;
  /** GGUF file of the model that the engine has, or would load; undefined where it runs elsewhere. */
  modelPath: () => Promise<string | undefined>;
  /** File of own questions that the model must not forget the answers to; undefined: there is none. */
  probes: () => string | undefined;
  /** See {@link LearnPorts.onProgress}. */
  onProgress?: LearnPorts<unknown>['onProgress'];
  /** Of the runs, a folder each. */
  folder: string;
}

/** Learns what a run has taken, with this node's engine: its model is loaded for it if need be. */
export function learner(needs: LearnerNeeds): LearningQueueOptions['learn'] {
  return async (run, how) => {
    await checkTrainer(run, needs);
    using _loaded = await needs.engine.localUse.begin(how.signal);
    const { base, modelPath } = await loadedBase(needs.engine);
    const ports = await portsOf(run, { base, modelPath, needs, how });
    await new LearningRun(run, ports).work().catch((error: unknown) => {
      throw needs.trainers.laterIfAway(error);
    });
  };
}

/** Before the model is loaded and asked anything: see {@link TrainerChoice.check}. */
async function checkTrainer(run: RunRow, { trainers, modelPath: find }: LearnerNeeds): Promise<void> {
  const modelPath = await find();
  if (modelPath === undefined) return;
  const settings = trainerSettings(runSettingsSchema.parse(JSON.parse(run.settings)), { saysNew: false });
  await trainers.check({ modelPath, settings });
}

/** The model that is loaded, as adapters know it. @throws ENGINE_UNAVAILABLE where it runs elsewhere; UNSUPPORTED for an architecture without adapters */
async function loadedBase({
  slot,
}: Pick<LearnerNeeds['engine'], 'slot'>): Promise<{ base: AdapterBase; modelPath: string }> {
  const backend = slot.need();
  const { sha256, name } = backend.status().model ?? {};
  if (!backend.engine || sha256 === undefined || name === undefined) {
    throw noTokens();
  }
  const { modelPath } = backend.engine;
  return { base: { sha256, name, shape: baseShape(await readModelHeader(modelPath)) }, modelPath };
}

interface Surroundings {
  base: AdapterBase;
  modelPath: string;
  needs: LearnerNeeds;
  how: Parameters<LearningQueueOptions['learn']>[1];
}

async function portsOf(
  run: RunRow,
  { base, modelPath, needs, how }: Surroundings,
): Promise<LearnPorts<MeasuredAnswers>> {
  const { store, versions, ownEngines, folder, trainers, onProgress } = needs;
  const { prompts, seed } = runSettingsSchema.parse(JSON.parse(run.settings));
  const parent = await parentOf(run.name, base, versions);
  const files = new RunFiles(join(folder, run.id));
  await begunFrom(run, { parent: parent?.id ?? null, base: base.sha256 }, { store, files });
  const taken = await store.feedback(run.id);
  const asked = new AskedEngine(() => ownEngines.of(needs.engine.slot.need()));
  const feedback = await withAnswers(taken, needs);
  const plan = planLesson({
    feedback,
    earlier: parent ? await learntBefore(parent.id, needs) : [],
    recent: await recentlyAsked(base.sha256, feedback, { files, completions: needs.completions }),
    ...{ prompts, asked },
  });
  const probesFile = needs.probes();
  const ownProbes = probesFile === undefined ? [] : await readOwnProbes(probesFile);
  return {
    ...{ store, modelPath, lesson: plan.lesson, onProgress, signal: how.signal },
    async rest(signal) {
      await checkInUse(run.id, parent?.id ?? null, { store, versions });
      await how.rest(signal);
    },
    createTrainer: (model) => trainers.create(model),
    weaken: (from, to, strength) => weakenAdapter(from, to, { strength, base: base.shape, model: basename(modelPath) }),
    files,
    asked,
    examiner: gateExaminer({ plan, asked, probes: [...INSTRUCTION_PROBES, ...ownProbes], seed }),
    parent: parent?.folder,
    async accept(from, { metrics: { passes, capability }, endedAt }) {
      const metrics = { compliance: passRate(passes), capability: shareOfFacts(capability) };
      const feedback = taken.map(({ id }) => id);
      await acceptRun(from, run, { versions, base, parent: parent?.id ?? null, feedback, metrics, endedAt });
    },
  };
}

/** The version that the adapter's name stands for; undefined where that is the model as it is. @throws ADAPTER_INVALID where it is another model's */
async function parentOf(name: string, base: AdapterBase, versions: Versions) {
  const known = await versions.adapter(name);
  const { version } = known ? await versions.resolve(name, base.sha256) : { version: null };
  return version ? { id: version.id, folder: (await versions.folder(version.id)).folder } : undefined;
}
