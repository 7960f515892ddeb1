import { z } from 'zod';
import { learningNumbers } from '../../../src-preload/contract/learning-numbers.ts';
import { OBJECTIVES } from '../../../src-preload/contract/learning-runs.ts';
import { MAX_SEED } from '../../../src-preload/contract/limits.ts';
import { readTraining } from '../feedback/client-training.ts';
import { ADAPTER_MODULES } from '../formats/lora-adapter.ts';
import { DEFAULT_LEARNING, type LearningSettings } from '../learning-settings.ts';
import type { TrainerSettings } from '../training/trainer.ts';

/** How a run learns; kept with it, so that it goes on as it began. */
export const runSettingsSchema = z.strictObject({
  objective: z.enum(OBJECTIVES),
  /** Default: by what is to be learnt, see {@link trainerSettings}. */
  learningRate: learningNumbers.learningRate.optional(),
  rank: z.int().min(1).max(128),
  alpha: z.number().positive().max(256),
  modules: z.array(z.enum(ADAPTER_MODULES)).min(1),
  lastLayers: z.int().min(1).optional(),
  maxGradNorm: learningNumbers.maxGradNorm,
  weightDecay: z.number().min(0).max(1),
  mixture: learningNumbers.mixture,
  isClip: learningNumbers.isClip,
  klWeight: learningNumbers.klWeight,
  /** Of the teacher's likeliest tokens, so many are learnt from. */
  teacherTop: learningNumbers.teacherTop.default(100),
  seed: z.int().min(0).max(MAX_SEED),
  /** Samples a step. */
  batch: z.int().min(1).max(16),
  /** Steps at the most, and after how many of them what came of it is looked at. */
  steps: z.int().min(1).max(1_000),
  /** The same where answers are to have something new in them; absent once it is known whether: see {@link forLesson}. */
  stepsForNew: z.int().min(1).max(2_000).optional(),
  checkEvery: z.int().min(1).max(100),
  /** Prompts to learn from, how often each is asked at the most, and how many answers to it are kept. */
  prompts: z.int().min(1).max(64),
  tries: z.int().min(1).max(32),
  keep: z.int().min(1).max(8),
  /** Longest answer to learn from, in tokens. */
  answerTokens: z.int().min(8).max(2_048),
});
export type RunSettings = z.infer<typeof runSettingsSchema>;

/** A name takes longer (SmolLM2-135M: 8 of 20 held-out questions after 16 steps, 16 of 20 after 24). @param steps of other runs */
export function stepsForNew(steps: number): Pick<RunSettings, 'stepsForNew'> {
  return { stepsForNew: Math.ceil(1.5 * steps) };
}

/** As was found on SmolLM2-135M to work. */
export const DEFAULT_RUN: RunSettings = {
  objective: DEFAULT_LEARNING.objective,
  rank: DEFAULT_LEARNING.rank,
  alpha: DEFAULT_LEARNING.alpha,
  modules: [...DEFAULT_LEARNING.modules],
  maxGradNorm: 1,
  weightDecay: 0.01,
  mixture: 0.5,
  isClip: 5,
  klWeight: 0,
  teacherTop: 100,
  seed: 42,
  batch: 2,
  steps: DEFAULT_LEARNING.steps,
  ...stepsForNew(DEFAULT_LEARNING.steps),
  checkEvery: 4,
  prompts: 9,
  tries: 4,
  keep: 2,
  answerTokens: 160,
};

/** Layers that the economy mode changes, the last ones. */
const ECONOMY_LAYERS = 10;

/** What this node's settings make of it. */
export function runSettings({
  objective,
  rank,
  alpha,
  modules,
  steps,
  economy,
}: Pick<LearningSettings, 'objective' | 'rank' | 'alpha' | 'modules' | 'steps' | 'economy'>): RunSettings {
  const lastLayers = economy ? { lastLayers: ECONOMY_LAYERS } : {};
  return { ...DEFAULT_RUN, objective, rank, alpha, modules: [...modules], steps, ...stepsForNew(steps), ...lastLayers };
}

/**
 * With what a client wishes. Its `alpha` is that of SDPO's loss (B4), so it wants that objective.
 * @param wished JSON of `learning_feedback.training`; null: nothing
 */
export function withWishes(settings: RunSettings, wished: string | null): RunSettings {
  if (wished === null) return settings;
  const { alpha: mixture, klRegWeight: klWeight, teacherTopK: teacherTop, ...same } = readTraining(wished);
  return {
    ...settings,
    ...same,
    ...(klWeight !== undefined && { klWeight }),
    ...(teacherTop !== undefined && { teacherTop }),
    ...(mixture !== undefined && { mixture, objective: 'sdpo' }),
  };
}

/** Of a run, once it is known what it learns. */
export function forLesson({ stepsForNew, ...settings }: RunSettings, { saysNew }: { saysNew: boolean }): RunSettings {
  return { ...settings, steps: (saysNew ? stepsForNew : undefined) ?? settings.steps };
}

/** What of it a trainer goes by. @param saysNew whether answers are to have something in them that the model would never say, as a name: that takes twice the rate */
export function trainerSettings(settings: RunSettings, { saysNew }: { saysNew: boolean }): TrainerSettings {
  const {
    learningRate = saysNew ? 1e-3 : 5e-4,
    batch,
    steps,
    stepsForNew,
    checkEvery,
    prompts,
    tries,
    keep,
    answerTokens,
    teacherTop,
    ...rest
  } = settings;
  return { ...rest, learningRate };
}

/**
 * Share of the learning rate that a step is taken with: it falls in a line to almost nothing, so that the last steps settle what the first have found. At one rate for
 * all, facts that a model knew came and went from look to look.
 * @param step from 0
 * @param steps of the whole run
 */
export function rateAt(step: number, steps: number): number {
  return 1 - step / steps;
}
