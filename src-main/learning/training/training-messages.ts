import { z } from 'zod';
import { learningNumbers, MAX_TEACHER_TOP } from '../../../src-preload/contract/learning-numbers.ts';
import { OBJECTIVES } from '../../../src-preload/contract/learning-runs.ts';
import { MAX_SEED } from '../../../src-preload/contract/limits.ts';
import { failureSchema } from '../../process/failure.ts';
import { ADAPTER_MODULES } from '../formats/lora-adapter.ts';
import { LONGEST } from './model/transformer.ts';
import type { StepFigures, TrainerSettings, TrainingSample } from './trainer.ts';

/** What goes between main and the process that trains. Both sides check what they are told. */

/** What one child can hold. */
export const MOST_SAMPLES = 64;
/** Of prompt and response together: the last one is not computed for. */
export const MOST_TOKENS = LONGEST + 1;
/** Log-probabilities that a computation has rounded may be a little above 0. */
const ROUNDED = 1e-3;

const token = z
  .int()
  .min(0)
  .max(2 ** 31);
const logprob = z.number().min(-1e6).max(ROUNDED);
const teacherSchema = z
  .object({ tokens: z.array(token).min(1).max(MAX_TEACHER_TOP), logprobs: z.array(logprob) })
  .refine(({ tokens, logprobs }) => tokens.length === logprobs.length && new Set(tokens).size === tokens.length);

const scoredSchema = z
  .object({ prompt: z.array(token).min(1), response: z.array(token).min(1) })
  .refine(({ prompt, response }) => prompt.length + response.length <= MOST_TOKENS);

/** Samples of which each place is told as much as the objective wants. */
export function samplesSchema({ objective, klWeight }: Pick<TrainerSettings, 'objective' | 'klWeight'>) {
  const wantsOld = objective === 'sdpo';
  const wantsBase = objective === 'sdpo' || klWeight > 0;
  const sample = z
    .object({
      ...scoredSchema.shape,
      teacher: z.array(teacherSchema),
      old: z.array(logprob).optional(),
      base: z.array(logprob).optional(),
    })
    .refine(({ prompt, response, teacher, old, base }) => {
      const places = response.length;
      const fits = (list: readonly number[] | undefined, wanted: boolean) => (list ? list.length === places : !wanted);
      const isTold = teacher.length === places && fits(old, wantsOld) && fits(base, wantsBase);
      return isTold && prompt.length + places <= MOST_TOKENS;
    }) satisfies z.ZodType<TrainingSample>;
  return z.array(sample);
}

export const settingsSchema = z.object({
  objective: z.enum(OBJECTIVES),
  learningRate: learningNumbers.learningRate,
  rank: z.int().min(1).max(256),
  alpha: z.number().positive().max(4096),
  modules: z.array(z.enum(ADAPTER_MODULES)).min(1).max(ADAPTER_MODULES.length),
  lastLayers: z.int().min(1).max(1024).optional(),
  maxGradNorm: learningNumbers.maxGradNorm,
  weightDecay: z.number().min(0).max(1),
  mixture: learningNumbers.mixture,
  isClip: learningNumbers.isClip,
  klWeight: learningNumbers.klWeight,
  seed: z.int().min(0).max(MAX_SEED),
}) satisfies z.ZodType<TrainerSettings>;

/** See {@link StepOptions.rate}. */
export const rateSchema = z.number().positive().max(1);

const path = z.string().min(1).max(4096);
const id = z.int().min(1);

/** To the child. Samples come as they are, and are held to {@link samplesSchema} there, by the settings that it has. */
export const taskSchema = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('open'),
    id,
    modelPath: path,
    from: path.optional(),
    settings: settingsSchema,
    keep: z.object({ weights: z.boolean(), passed: z.boolean() }),
    /** Whether the page beside the process computes, on the GPU. Default: the process itself. */
    onPage: z.boolean().optional(),
  }),
  /** What the page can do, and whether that is right. */
  z.object({ task: z.literal('check'), id }),
  z.object({ task: z.literal('step'), id, rate: rateSchema, samples: z.array(z.unknown()).min(1).max(MOST_SAMPLES) }),
  z.object({ task: z.literal('score'), id, sample: scoredSchema }),
  z.object({ task: z.literal('save'), id, folder: path, model: z.string().max(500) }),
]);
export type TrainingTask = z.infer<typeof taskSchema>;

const figure = z.number();
export const figuresSchema = z.object({
  ...{ loss: figure, distillLoss: figure, klLoss: figure, gradNorm: figure },
  ...{ isRatio: figure.optional(), clipFraction: figure.optional(), tokens: z.int(), seconds: figure },
}) satisfies z.ZodType<StepFigures>;

/** What WebGPU gives a page. */
export const deviceSchema = z.object({
  /** «apple metal-3»; empty where the browser tells nothing. */
  name: z.string().max(200),
  /** It computes on the processor, and is of use for tests alone. */
  isSoftware: z.boolean(),
  /** Multiplications and additions a second that were measured. */
  flops: z.number().min(0),
});
export type PageDevice = z.infer<typeof deviceSchema>;

/** From the child: how the task with this id ended. */
export const reportSchema = z.union([
  z.object({ id, figures: figuresSchema }),
  z.object({ id, logprobs: z.array(figure).max(LONGEST) }),
  z.object({ id, device: deviceSchema, difference: z.number().min(0) }),
  z.object({ id, done: z.literal(true) }),
  z.object({ id, failed: failureSchema }),
]);
export type TrainingReport = z.infer<typeof reportSchema>;
